/**
 * What happened, kept so that any moment of it can be shown again: the events in segments, each with the view before its first
 * event, so that a past view is at most `keyframeEvery` folds away. Bounded: whole segments are forgotten, oldest first.
 * The main process and the page keep one each; nobody may change an event or a view that went in.
 */
import type { Milliseconds } from "../contract/ids";
import { eventBytes, keyframeBytes } from "./event-bytes";
import { foldEvent } from "./fold";
import type { LiveView } from "./view";
import type { ViewEvent } from "./view-event";

export interface HistoryLimits {
  readonly eventsMax: number;
  /** Estimated bytes of events and keyframes (event-bytes.ts). */
  readonly bytesMax: number;
  readonly keyframeEvery: number;
}

/** More than an hour of a machine that makes a hundred events a second. */
export const defaultHistoryLimits: HistoryLimits = {
  eventsMax: 400_000,
  bytesMax: 192 * 1024 ** 2,
  keyframeEvery: 256,
};

/** What is folded: the view alone, or the view and more. */
export interface Folding<Moment> {
  fold(moment: Moment, event: ViewEvent): Moment;
  viewOf(moment: Moment): LiveView;
}

export const viewFolding: Folding<LiveView> = { fold: foldEvent, viewOf: (view) => view };

interface Segment<Moment> {
  readonly start: Moment;
  /** Number of the event before its first one. */
  readonly startNumber: number;
  readonly events: ViewEvent[];
  bytes: number;
}

export class History<Moment> {
  readonly #folding: Folding<Moment>;
  readonly #limits: HistoryLimits;
  #segments: Segment<Moment>[] = [];
  #events = 0;
  #bytes = 0;
  #newest: Moment;
  #lastShown: Moment;
  /** Event numbers and decision numbers of all kept decisions, in order. */
  #decisions: { readonly event: number; readonly decision: number }[] = [];

  /** `start` is the earliest moment; it may be in the middle of a run. */
  constructor(start: Moment, folding: Folding<Moment>, limits: HistoryLimits = defaultHistoryLimits) {
    this.#folding = folding;
    this.#limits = limits;
    this.#newest = start;
    this.#lastShown = start;
    this.#open(start);
  }

  /** Number of the earliest moment that can be shown. Its own event is not kept, those after it are. */
  get firstNumber(): number {
    return this.#first().startNumber;
  }

  /** Number of the newest event; `firstNumber` while nothing has happened since. */
  get lastNumber(): number {
    return this.#numberOf(this.#newest);
  }

  /** The newest moment. */
  get newest(): Moment {
    return this.#newest;
  }

  /** The earliest moment that can be shown. */
  get earliest(): Moment {
    return this.#first().start;
  }

  /** How many events are kept, and about how much they take. */
  get size(): { readonly events: number; readonly bytes: number } {
    return { events: this.#events, bytes: this.#bytes };
  }

  /** Adds the event that follows the newest one; false for one that is known already. Throws where one is missing between. */
  add(event: ViewEvent): boolean {
    if (event.number <= this.lastNumber) return false;
    if (event.number !== this.lastNumber + 1)
      throw new Error(`Event ${event.number} does not follow ${this.lastNumber}.`);
    // Before anything is changed: an event out of a file may be such that they throw.
    const bytes = eventBytes(event);
    const next = this.#folding.fold(this.#newest, event);
    let segment = this.#segments.at(-1) as Segment<Moment>;
    if (segment.events.length >= this.#limits.keyframeEvery) segment = this.#open(this.#newest);
    this.#newest = next;
    segment.events.push(event);
    segment.bytes += bytes;
    this.#bytes += bytes;
    this.#events += 1;
    if (event.kind === "decision.made") this.#decisions.push({ event: event.number, decision: event.decision.number });
    this.#forget();
    return true;
  }

  /** The moment right after that event; the nearest one that is kept where it is not. */
  momentAt(number: number): Moment {
    const wanted = this.#clamp(number);
    if (wanted === this.lastNumber) return this.#newest;
    const { start, startNumber, events } = this.#segmentOf(wanted);
    const near = this.#numberOf(this.#lastShown);
    // Going on from the moment that was shown last makes playing and stepping forward one fold each.
    const isOnTheWay = near >= startNumber && near <= wanted;
    let moment = isOnTheWay ? this.#lastShown : start;
    for (let at = isOnTheWay ? near - startNumber : 0; at < wanted - startNumber; at += 1)
      moment = this.#folding.fold(moment, events[at] as ViewEvent);
    this.#lastShown = moment;
    return moment;
  }

  /** The kept events with numbers from `from` to `to`, both included. */
  eventsBetween(from: number, to: number): ViewEvent[] {
    const first = Math.max(from, this.firstNumber + 1);
    const last = Math.min(to, this.lastNumber);
    const found: ViewEvent[] = [];
    if (first > last) return found;
    for (let at = this.#indexOf(first); at < this.#segments.length; at += 1) {
      const { startNumber, events } = this.#segments[at] as Segment<Moment>;
      if (startNumber >= last) break;
      for (const event of events.slice(Math.max(0, first - startNumber - 1), last - startNumber)) found.push(event);
    }
    return found;
  }

  /** Null for an event that is not kept. */
  eventAt(number: number): ViewEvent | null {
    if (number <= this.firstNumber || number > this.lastNumber) return null;
    const { startNumber, events } = this.#segments[this.#indexOf(number)] as Segment<Moment>;
    return events[number - startNumber - 1] ?? null;
  }

  /** When that event happened. */
  timeOf(number: number): Milliseconds {
    return this.eventAt(this.#clamp(number))?.atMs ?? this.#folding.viewOf(this.earliest).atMs;
  }

  /** Number of the last event at or before that time; `firstNumber` for a time before all that is kept. */
  numberAt(atMs: Milliseconds): number {
    const index = lastIndex(this.#segments, ({ events }) => (events[0]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs);
    const segment = this.#segments[index];
    if (segment === undefined) return this.firstNumber;
    return segment.startNumber + lastIndex(segment.events, (event) => event.atMs <= atMs) + 1;
  }

  /** The nearest event before (-1) or after (1) this one that is a decision; null if none is kept. */
  decisionFrom(number: number, direction: -1 | 1): number | null {
    const before = lastIndex(this.#decisions, ({ event }) => (direction < 0 ? event < number : event <= number));
    return this.#decisions[direction < 0 ? before : before + 1]?.event ?? null;
  }

  /** The event of that decision; null if it is not kept. */
  eventOfDecision(decision: number): number | null {
    const found = this.#decisions[lastIndex(this.#decisions, (known) => known.decision <= decision)];
    return found?.decision === decision ? found.event : null;
  }

  #numberOf(moment: Moment): number {
    return this.#folding.viewOf(moment).eventNumber;
  }

  #clamp(number: number): number {
    return Math.min(this.lastNumber, Math.max(this.firstNumber, Math.round(number)));
  }

  #first(): Segment<Moment> {
    return this.#segments[0] as Segment<Moment>;
  }

  #open(start: Moment): Segment<Moment> {
    const bytes = keyframeBytes(this.#folding.viewOf(start));
    const segment: Segment<Moment> = { start, startNumber: this.#numberOf(start), events: [], bytes };
    this.#segments.push(segment);
    this.#bytes += bytes;
    return segment;
  }

  #forget(): void {
    const { eventsMax, bytesMax } = this.#limits;
    while (this.#segments.length > 1 && (this.#events > eventsMax || this.#bytes > bytesMax)) {
      const forgotten = this.#segments.shift() as Segment<Moment>;
      this.#events -= forgotten.events.length;
      this.#bytes -= forgotten.bytes;
      const kept = lastIndex(this.#decisions, ({ event }) => event <= this.firstNumber) + 1;
      if (kept > 0) this.#decisions = this.#decisions.slice(kept);
    }
  }

  /** The segment in which the moment after that event can be folded. */
  #segmentOf(number: number): Segment<Moment> {
    return this.#segments[lastIndex(this.#segments, ({ startNumber }) => startNumber <= number)] ?? this.#first();
  }

  /** Index of the segment that holds that event. */
  #indexOf(number: number): number {
    return Math.max(
      0,
      lastIndex(this.#segments, ({ startNumber }) => startNumber < number),
    );
  }
}

/** Of an ordered list in which `holds` is true for a first part: the last index of that part, -1 if it is empty. */
function lastIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
