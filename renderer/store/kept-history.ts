/**
 * The events this window has heard and those of the time before it (core/view/history.ts), as moments: any of them can be shown
 * again. What happened before the snapshot comes later, in pieces, and takes the place of the snapshot once it reaches it.
 */
import type { PortMessage } from "../../core/contract/window";
import { History as EventHistory } from "../../core/view/history";
import { type Moment, momentFolding, momentOf } from "../../core/view/moment";
import type { EventSharing } from "../../core/view/share-event";
import type { LiveView } from "../../core/view/view";

export type KeptHistory = EventHistory<Moment>;

/** What the rest of the window may do with it: nothing but look. */
export type History = Pick<
  KeptHistory,
  "firstNumber" | "lastNumber" | "momentAt" | "timeOf" | "numberAt" | "decisionFrom" | "eventOfDecision" | "eventAt"
>;

export function createHistory(start: Moment): KeptHistory {
  return new EventHistory(start, momentFolding);
}

type BacklogPiece = Extract<PortMessage, { kind: "backlog" }>;

/** Collects the pieces of the time before `view`. */
export class Backlog {
  #past: KeptHistory | null = null;
  readonly #reaches: number;
  readonly #sharing: EventSharing;

  constructor(view: LiveView, sharing: EventSharing) {
    this.#sharing = sharing;
    this.#reaches = view.eventNumber;
  }

  /** The whole history, with all that `sinceThen` holds, once the last piece is there; null before. */
  add({ start, events }: BacklogPiece, sinceThen: KeptHistory): KeptHistory | null {
    if (start !== null) this.#past = createHistory(momentOf(start));
    const past = this.#past;
    if (past === null) return null;
    for (const event of events) past.add(this.#sharing.share(event));
    if (past.lastNumber < this.#reaches) return null;
    this.#past = null;
    for (const event of sinceThen.eventsBetween(past.lastNumber + 1, sinceThen.lastNumber)) past.add(event);
    return past;
  }
}
