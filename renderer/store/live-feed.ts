/**
 * Turns the port's messages into the store: events are folded as they come, outside React, and shown at most once per
 * animation frame. It must never drop or reorder an event.
 */
import type { AppStatus, PortMessage } from "../../core/contract/window";
import { momentOf } from "../../core/view/moment";
import { EventSharing } from "../../core/view/share-event";
import type { Clock } from "./clock";
import { Backlog, createHistory, type KeptHistory } from "./kept-history";
import { createLiveStore, type LiveState, type LiveStore, type PolicySwitch } from "./live-store";
import { movedRows } from "./moved-rows";

export interface LiveFeedOptions {
  readonly clock: Clock;
  /** Runs the callback before the next picture is drawn. */
  readonly onNextFrame: (show: () => void) => void;
  /** Called once, with the first snapshot. */
  readonly onReady: (store: LiveStore) => void;
}

export function createLiveFeed({ clock, onNextFrame, onReady }: LiveFeedOptions): (message: PortMessage) => void {
  let store: LiveStore | null = null;
  let history: KeptHistory | null = null;
  let backlog: Backlog | null = null;
  const sharing = new EventSharing();
  /** The events do not go on from those that are shown: a new snapshot came. */
  let isNew = false;
  let status: AppStatus | null = null;
  let policySwitch: PolicySwitch | null = null;
  let frameAsked = false;

  const show = () => {
    frameAsked = false;
    if (history === null || status === null) return;
    const { view, lanes } = history.momentAt(history.lastNumber);
    if (store === null) {
      isNew = false;
      clock.hold(status.recording === null ? null : view.atMs);
      store = createLiveStore({ view, lanes, history, status });
      onReady(store);
      return;
    }
    const before = store.getState();
    const common = { status, history, policySwitch } satisfies Partial<LiveState>;
    // Somebody looks at a past moment: that one stays, unless the history it lies in is gone.
    if (before.cursor !== null && !isNew) return store.setState(common);
    isNew = false;
    // In a recording no time passes.
    clock.hold(status.recording === null ? null : view.atMs);
    store.setState({ ...common, cursor: null, view, lanes, moved: movedRows(before.moved, before.view, view) });
  };

  const foldAll = (events: Extract<PortMessage, { kind: "events" }>["events"]) => {
    for (const event of events) {
      if (history === null || event.number <= history.lastNumber) continue;
      if (event.kind === "policy.chosen") {
        const { view } = history.momentAt(history.lastNumber);
        if (event.policy !== view.policy)
          policySwitch = { policy: event.policy, fromDecision: view.totals.decisions + 1, atMs: event.atMs };
      }
      history.add(sharing.share(event));
    }
  };

  return (message) => {
    switch (message.kind) {
      case "snapshot":
        history = createHistory(momentOf(message.view));
        backlog = new Backlog(message.view, sharing);
        isNew = true;
        status = message.status;
        policySwitch = null;
        clock.set(message.status.nowMs);
        break;
      case "events":
        foldAll(message.events);
        clock.set(message.nowMs);
        break;
      case "backlog":
        if (history !== null) history = backlog?.add(message, history) ?? history;
        break;
      case "status":
        status = message.status;
        clock.set(message.status.nowMs);
        break;
      default:
        message satisfies never;
    }
    if (frameAsked) return;
    frameAsked = true;
    onNextFrame(show);
  };
}
