/**
 * The events this window has heard, with a whole moment at the beginning of each chunk, so that any of them can be shown
 * again by folding a few hundred events. Bounded: the oldest chunk goes first.
 */
import type { Milliseconds } from "../../core/contract/ids";
import { foldMoment, type Moment } from "../../core/view/moment";
import type { ViewEvent } from "../../core/view/view-event";

export const CHUNK_EVENTS = 400;
export const HISTORY_EVENTS_MAX = 200_000;

export interface History {
  /** Number of the earliest and the newest event that can be shown. */
  readonly firstNumber: number;
  readonly lastNumber: number;
  /** The moment right after that event; a number that is not kept gives the nearest one that is. */
  momentAt(number: number): Moment;
  /** When that event happened. */
  timeOf(number: number): Milliseconds;
  /** The last event that had happened by then. */
  numberAt(atMs: Milliseconds): number;
  /** The nearest event before (-1) or after (1) this one that is a decision; null if none is kept. */
  decisionFrom(number: number, direction: -1 | 1): number | null;
  /** The event of that decision; null if it is not kept. */
  eventOfDecision(decision: number): number | null;
}

export interface KeptHistory extends History {
  add(event: ViewEvent): void;
}

interface Chunk {
  /** Before its first event. */
  readonly start: Moment;
  readonly events: ViewEvent[];
}

export function createHistory(start: Moment, eventsMax: number = HISTORY_EVENTS_MAX): KeptHistory {
  let chunks: Chunk[] = [{ start, events: [] }];
  let newest = start;
  const numberOf = (chunk: Chunk) => chunk.start.view.eventNumber;
  const first = () => chunks[0] as Chunk;
  const last = () => chunks.at(-1) as Chunk;
  const clamp = (number: number) => Math.min(newest.view.eventNumber, Math.max(numberOf(first()), Math.round(number)));
  const chunkOf = (number: number) => chunks[Math.floor((number - 1 - numberOf(first())) / CHUNK_EVENTS)] ?? first();
  const eventAt = (number: number): ViewEvent | undefined => {
    const chunk = chunkOf(number);
    return chunk.events[number - 1 - numberOf(chunk)];
  };
  const timeOf = (number: number) => eventAt(clamp(number))?.atMs ?? first().start.view.atMs;

  return {
    get firstNumber() {
      return numberOf(first());
    },
    get lastNumber() {
      return newest.view.eventNumber;
    },
    add(event) {
      if (last().events.length >= CHUNK_EVENTS) chunks.push({ start: newest, events: [] });
      last().events.push(event);
      newest = foldMoment(newest, event);
      if (chunks.length * CHUNK_EVENTS > eventsMax && chunks.length > 1) chunks = chunks.slice(1);
    },
    momentAt(wanted) {
      const number = clamp(wanted);
      if (number === newest.view.eventNumber) return newest;
      const chunk = chunkOf(number);
      return chunk.events.slice(0, number - numberOf(chunk)).reduce(foldMoment, chunk.start);
    },
    timeOf,
    numberAt(atMs) {
      let low = numberOf(first());
      let high = newest.view.eventNumber;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (timeOf(middle) <= atMs) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    decisionFrom(number, direction) {
      for (let at = clamp(number) + direction; at > numberOf(first()) && at <= newest.view.eventNumber; at += direction)
        if (eventAt(at)?.kind === "decision.made") return at;
      return null;
    },
    eventOfDecision(decision) {
      // The newest decisions are asked for most, so the search begins at the end.
      for (let at = newest.view.eventNumber; at > numberOf(first()); at -= 1) {
        const event = eventAt(at);
        if (event?.kind !== "decision.made") continue;
        if (event.decision.number <= decision) return event.decision.number === decision ? at : null;
      }
      return null;
    },
  };
}
