/**
 * Turns the port's messages into the store: events are folded as they come, outside React, and shown at most once per
 * animation frame. It must never drop or reorder an event.
 */
import type { AppStatus, PortMessage } from "../../core/contract/window";
import { foldEvent } from "../../core/view/fold";
import type { LiveView } from "../../core/view/view";
import type { Clock } from "./clock";
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
  let view: LiveView | null = null;
  let status: AppStatus | null = null;
  let policySwitch: PolicySwitch | null = null;
  let frameAsked = false;

  const show = () => {
    frameAsked = false;
    if (view === null || status === null) return;
    if (store === null) {
      store = createLiveStore({ view, status });
      onReady(store);
      return;
    }
    const before = store.getState();
    store.setState({
      view,
      status,
      policySwitch,
      moved: movedRows(before.moved, before.view, view),
    } satisfies Partial<LiveState>);
  };

  const foldAll = (events: Extract<PortMessage, { kind: "events" }>["events"]) => {
    for (const event of events) {
      if (view === null || event.number <= view.eventNumber) continue;
      if (event.kind === "policy.chosen" && event.policy !== view.policy)
        policySwitch = { policy: event.policy, fromDecision: view.totals.decisions + 1, atMs: event.atMs };
      view = foldEvent(view, event);
    }
  };

  return (message) => {
    switch (message.kind) {
      case "snapshot":
        view = message.view;
        status = message.status;
        policySwitch = null;
        clock.set(message.status.nowMs);
        break;
      case "events":
        foldAll(message.events);
        clock.set(message.nowMs);
        break;
      case "backlog":
        return; // what came before the page is not shown yet
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
