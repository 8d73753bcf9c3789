/**
 * Moves the cursor and the selection: pause, step, scrub, select, inspect, back and forward. The only file that changes
 * where somebody looks, so that clock, view and trail never disagree.
 */
import type { Milliseconds } from "../../core/contract/ids";
import type { Clock } from "./clock";
import type { LiveState, LiveStore, Page, Place } from "./live-store";

export interface Looking {
  readonly store: LiveStore;
  readonly clock: Clock;
}

/** Places kept to go back to. */
const TRAIL_MAX = 100;

export function goTo(looking: Looking, number: number): void {
  show(looking, { cursor: number });
}

export function goToTime(looking: Looking, atMs: Milliseconds): void {
  goTo(looking, looking.store.getState().history.numberAt(atMs));
}

export function goLive(looking: Looking): void {
  show(looking, { cursor: null });
}

export function pauseOrGoOn(looking: Looking): void {
  const { cursor, history } = looking.store.getState();
  if (cursor === null) goTo(looking, history.lastNumber);
  else goLive(looking);
}

/** By so many events; a step from the newest one pauses there. */
export function step(looking: Looking, by: number): void {
  const { cursor, history } = looking.store.getState();
  goTo(looking, (cursor ?? history.lastNumber) + by);
}

/** To the decision before or after; if the inspector is open it goes along. */
export function stepDecision(looking: Looking, direction: -1 | 1): void {
  const { cursor, history, inspected } = looking.store.getState();
  const from = cursor ?? (direction < 0 ? history.lastNumber + 1 : history.lastNumber);
  const number = history.decisionFrom(from, direction);
  if (number === null) return;
  const decision = history.momentAt(number).view.lastDecision?.number ?? null;
  show(looking, { cursor: number, inspected: inspected === null ? null : decision });
}

export function openPage(looking: Looking, page: Page): void {
  if (looking.store.getState().page !== page) visit(looking, { page });
}

export function select(looking: Looking, selected: string | null): void {
  visit(looking, { selected });
}

/** Opens the inspector for a decision; one that is kept brings the cursor to its moment unless the window is live. */
export function inspect(looking: Looking, decision: number): void {
  const { cursor, history } = looking.store.getState();
  const number = cursor === null ? null : history.eventOfDecision(decision);
  visit(looking, { inspected: decision, ...(number === null ? {} : { cursor: number }) });
}

/** Goes to a decision's moment and opens it there, also from the newest moment. */
export function goToDecision(looking: Looking, decision: number): void {
  const number = looking.store.getState().history.eventOfDecision(decision);
  visit(looking, { inspected: decision, ...(number === null ? {} : { cursor: number }) });
}

export function closeInspector(looking: Looking): void {
  show(looking, { inspected: null });
}

export function goBack(looking: Looking): void {
  const { store } = looking;
  const { back, forward } = store.getState();
  const to = back.at(-1);
  if (to === undefined) return;
  const from = placeOf(store.getState());
  show(looking, to);
  store.setState({ back: back.slice(0, -1), forward: [from, ...forward] });
}

export function goForward(looking: Looking): void {
  const { store } = looking;
  const { back, forward } = store.getState();
  const [to, ...rest] = forward;
  if (to === undefined) return;
  const from = placeOf(store.getState());
  show(looking, to);
  store.setState({ back: [...back, from], forward: rest });
}

/** A change worth coming back from. */
function visit(looking: Looking, change: Partial<Place>): void {
  const { store } = looking;
  const from = placeOf(store.getState());
  show(looking, change);
  store.setState(({ back }) => ({ back: [...back, from].slice(-TRAIL_MAX), forward: [] }));
}

function show({ store, clock }: Looking, change: Partial<Place>): void {
  const state = store.getState();
  const { history } = state;
  const wanted = change.cursor === undefined ? state.cursor : change.cursor;
  const cursor = wanted === null ? null : Math.min(history.lastNumber, Math.max(history.firstNumber, wanted));
  const moment = history.momentAt(cursor ?? history.lastNumber);
  // A pause at the newest event keeps the time that was shown, which is later than that event.
  const pausesNow = state.cursor === null && cursor === history.lastNumber;
  clock.hold(cursor === null && state.status.recording === null ? null : pausesNow ? clock.now() : moment.view.atMs);
  store.setState({ ...change, cursor, view: moment.view, lanes: moment.lanes, moved: {} });
}

function placeOf({ page, cursor, selected, inspected }: LiveState): Place {
  return { page, cursor, selected, inspected };
}
