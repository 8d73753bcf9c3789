/**
 * Orders what one page hears: a snapshot, then events without a gap and each status. A page that falls behind gets no
 * more until it has caught up, then a new snapshot; what is kept for it must never grow without a limit. What happened before
 * a snapshot follows piece by piece while the page has nothing else to do.
 */
import type { PortMessage } from "../../core/contract/window";
import type { EventBatch, FeedSource } from "./window-app";

/** Events on their way to a page that has not shown that it is alive; about ten seconds of a busy server. */
export const UNCONFIRMED_EVENTS_MAX = 5_000;
/** Events of the time before the page in one piece: the page folds one in less than a frame, and asks by itself for no more. */
export const BACKLOG_PIECE_EVENTS = 400;

export interface LiveFeedWire {
  send(message: PortMessage): void;
  /** Asks the page to answer with the same number once it has come that far. */
  probe(sent: number): void;
}

export interface LiveFeed {
  /** The page's answer to a probe. */
  confirm(sent: number): void;
  /** The source shows something else: the page begins anew. */
  restart(): void;
  close(): void;
}

export function openLiveFeed(source: FeedSource, wire: LiveFeedWire): LiveFeed {
  /** Number of the last event the page knows of. */
  let eventNumber = 0;
  let sent = 0;
  let confirmed = 0;
  let probing = false;
  let behind = false;
  /** Events before the snapshot that the page has not got yet. */
  let backlog: { next: number; readonly last: number } | null = null;

  const send = (message: PortMessage, weight: number) => {
    sent += weight;
    wire.send(message);
    probe();
  };
  const probe = () => {
    if (probing || sent === confirmed) return;
    probing = true;
    wire.probe(sent);
  };
  const sendSnapshot = () => {
    const view = source.snapshot();
    eventNumber = view.eventNumber;
    backlog = { next: 0, last: eventNumber };
    send({ kind: "snapshot", view, status: source.status }, 1);
  };
  const sendBacklog = () => {
    if (backlog === null) return;
    const { earliest, firstNumber } = source.history;
    // What the page has not got yet may be forgotten by now: it begins anew with what is left.
    const begins = backlog.next <= firstNumber;
    const from = begins ? firstNumber + 1 : backlog.next;
    const to = Math.min(backlog.last, from + BACKLOG_PIECE_EVENTS - 1);
    const events = source.history.eventsBetween(from, to);
    if (to >= backlog.last) backlog = null;
    else backlog.next = to + 1;
    if (events.length > 0) send({ kind: "backlog", start: begins ? earliest : null, events }, events.length);
  };
  const mayNotSend = () => {
    behind ||= sent - confirmed > UNCONFIRMED_EVENTS_MAX;
    return behind;
  };
  const onEvents = ({ events, nowMs }: EventBatch) => {
    if (mayNotSend()) return;
    const fresh = events.filter((event) => event.number > eventNumber);
    const first = fresh[0];
    if (!first) return;
    if (first.number !== eventNumber + 1) return sendSnapshot();
    eventNumber += fresh.length;
    send({ kind: "events", events: fresh, nowMs }, fresh.length);
  };

  const stopEvents = source.onEvents(onEvents);
  const stopStatus = source.onStatus((status) => {
    if (!mayNotSend()) send({ kind: "status", status }, 1);
  });
  sendSnapshot();

  return {
    confirm(answered) {
      // A late answer of the page before a reload fits nothing here.
      if (answered > sent || answered <= confirmed) return;
      confirmed = answered;
      probing = false;
      if (behind && sent - confirmed <= UNCONFIRMED_EVENTS_MAX) {
        behind = false;
        sendSnapshot();
      } else {
        if (sent - confirmed < BACKLOG_PIECE_EVENTS) sendBacklog();
        probe();
      }
    },
    restart() {
      // A page that is behind gets its snapshot once it has caught up.
      if (!behind) sendSnapshot();
    },
    close() {
      stopEvents();
      stopStatus();
    },
  };
}
