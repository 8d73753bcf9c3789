/**
 * What each slot did in the last minute, as spans of time, and the decisions above them: the data of the lanes. Folded
 * from the same events as the view, so a lane can show nothing that did not happen.
 */
import type { AgentId, Milliseconds, RequestId, SlotIndex } from "../contract/ids";
import type { Decision, PrefixSource } from "../topas/decision";
import type { LiveView } from "./view";
import type { ViewEvent } from "./view-event";

/** How far back the lanes reach, and the most spans and marks that are kept of it. */
export const lanesKeepMs = 60_000;
export const lanesKeepMax = 2_000;

export interface LaneSpan {
  readonly slot: SlotIndex;
  readonly kind: "prefill" | "decode" | "warm";
  readonly agent: AgentId | null;
  /** Null while the slot is idle. */
  readonly requestId: RequestId | null;
  /** The request as people read it, or the agent of a warm prefix. */
  readonly label: string;
  readonly fromMs: Milliseconds;
  /** Null while it lasts. */
  readonly toMs: Milliseconds | null;
  /** Where the first tokens came from; of a prefill only. */
  readonly source: PrefixSource["kind"] | null;
  /** Since when its request had waited; null while idle. */
  readonly arrivedAtMs: Milliseconds | null;
}

export interface DecisionMark {
  readonly decision: number;
  readonly eventNumber: number;
  readonly atMs: Milliseconds;
  /** `evict`: somebody came in and a warm prefix or a running request had to go for it. */
  readonly kind: "admit" | "evict" | "keep" | "none";
  /** Who was let in. */
  readonly requestId: RequestId | null;
}

export interface ForkMark {
  readonly atMs: Milliseconds;
  readonly from: SlotIndex;
  readonly to: SlotIndex;
}

export interface OutageSpan {
  readonly fromMs: Milliseconds;
  readonly toMs: Milliseconds | null;
}

export interface Lanes {
  /** What each slot does now; null while it is empty. */
  readonly open: readonly (LaneSpan | null)[];
  /** What is over, oldest end first. */
  readonly over: readonly LaneSpan[];
  readonly marks: readonly DecisionMark[];
  readonly forks: readonly ForkMark[];
  readonly outages: readonly OutageSpan[];
}

/** The lanes of a view whose earlier events are not known: only what goes on now has a beginning. */
export function lanesOf(view: LiveView): Lanes {
  return { open: view.slots.map((slot) => openSpan(view, slot.slot)), over: [], marks: [], forks: [], outages: [] };
}

function openSpan(view: LiveView, index: SlotIndex): LaneSpan | null {
  const slot = view.slots[index];
  if (slot === undefined || view.engine.phase === "down") return null;
  const request = slot.requestId === null ? undefined : view.requests[slot.requestId];
  if (request !== undefined) {
    const { requestId, agent, label, arrivedAtMs } = request;
    const decodes = request.phase === "decode" && request.firstTokenAtMs !== null;
    const fromMs = (decodes ? request.firstTokenAtMs : request.admittedAtMs) ?? view.atMs;
    const source = decodes ? null : (request.source?.kind ?? null);
    const kind = decodes ? "decode" : "prefill";
    return { slot: index, kind, agent, requestId, label, fromMs, toMs: null, source, arrivedAtMs };
  }
  return slot.heldTokens === 0 ? null : warmSpan(index, slot.agent, slot.idleSinceMs ?? view.atMs);
}

function warmSpan(slot: SlotIndex, agent: AgentId | null, fromMs: Milliseconds): LaneSpan {
  const label = agent ?? "nobody";
  return { slot, kind: "warm", agent, requestId: null, label, fromMs, toMs: null, source: null, arrivedAtMs: null };
}

/** `before` is the view that the event has not been folded into yet. */
export function foldLanes(lanes: Lanes, before: LiveView, event: ViewEvent): Lanes {
  switch (event.kind) {
    case "engine.ready": {
      const open = new Array<LaneSpan | null>(event.slots).fill(null);
      const outages = lanes.outages.map((span) => (span.toMs === null ? { ...span, toMs: event.atMs } : span));
      return { ...lanes, open, outages };
    }
    case "engine.lost": {
      const over = lanes.open.filter((span) => span !== null).map((span) => ({ ...span, toMs: event.atMs }));
      const outages = kept([...lanes.outages, { fromMs: event.atMs, toMs: null }], event.atMs, (span) => span.toMs);
      return { ...lanes, open: lanes.open.map(() => null), over: withEnded(lanes, over, event.atMs), outages };
    }
    case "request.admitted": {
      const request = before.requests[event.requestId];
      if (request === undefined) return lanes;
      const { requestId, slot, source, atMs } = event;
      const { agent, label, arrivedAtMs } = request;
      const own = { slot, agent, requestId, label, fromMs: atMs, toMs: null, arrivedAtMs };
      const next = replace(lanes, slot, atMs, { ...own, kind: "prefill", source: source.kind });
      if (source.kind !== "fork") return next;
      return {
        ...next,
        forks: kept([...next.forks, { atMs, from: source.from, to: slot }], atMs, (fork) => fork.atMs),
      };
    }
    case "batch.stepped":
    case "batch.finished":
      return event.drawn.reduce((next, requestId) => firstToken(next, before, requestId, event.atMs), lanes);
    case "request.finished":
    case "request.cancelled":
    case "request.preempted": {
      const request = before.requests[event.requestId];
      if (request === undefined || request.slot === null) return lanes;
      return replace(lanes, request.slot, event.atMs, warmSpan(request.slot, request.agent, event.atMs));
    }
    case "request.failed": {
      const slot = before.requests[event.requestId]?.slot ?? null;
      return slot === null ? lanes : replace(lanes, slot, event.atMs, null);
    }
    case "decision.made": {
      const mark = markOf(event.decision, event.number);
      return { ...lanes, marks: kept([...lanes.marks, mark], event.atMs, (one) => one.atMs) };
    }
    default:
      return lanes;
  }
}

/** The first token of a request ends its prefill. */
function firstToken(lanes: Lanes, before: LiveView, requestId: RequestId, atMs: Milliseconds): Lanes {
  const slot = before.requests[requestId]?.slot ?? null;
  const open = slot === null ? null : lanes.open[slot];
  if (slot === null || !open || open.kind !== "prefill" || open.requestId !== requestId) return lanes;
  return replace(lanes, slot, atMs, { ...open, kind: "decode", source: null, fromMs: atMs });
}

function replace(lanes: Lanes, slot: SlotIndex, atMs: Milliseconds, next: LaneSpan | null): Lanes {
  const former = lanes.open[slot];
  const over = former ? withEnded(lanes, [{ ...former, toMs: atMs }], atMs) : lanes.over;
  return { ...lanes, open: lanes.open.map((span, index) => (index === slot ? next : span)), over };
}

function withEnded(lanes: Lanes, ended: readonly LaneSpan[], atMs: Milliseconds): readonly LaneSpan[] {
  return kept([...lanes.over, ...ended], atMs, (span) => span.toMs);
}

/** Drops what ended too long ago; a time that jumps back drops nothing. */
function kept<Entry>(
  entries: readonly Entry[],
  atMs: Milliseconds,
  end: (entry: Entry) => Milliseconds | null,
): readonly Entry[] {
  const first = entries.findIndex((entry) => (end(entry) ?? atMs) >= atMs - lanesKeepMs);
  const recent = first <= 0 ? entries : entries.slice(first);
  return recent.length > lanesKeepMax ? recent.slice(-lanesKeepMax) : recent;
}

export function markOf(decision: Decision, eventNumber: number): DecisionMark {
  const action = decision.candidates[0]?.action;
  const mark = { decision: decision.number, eventNumber, atMs: decision.atMs, requestId: null };
  switch (action?.kind) {
    case "admit":
      return { ...mark, kind: action.evicts.length > 0 ? "evict" : "admit", requestId: action.requestId };
    case "preempt":
      return { ...mark, kind: "evict" };
    default:
      return { ...mark, kind: decision.kept === null ? "none" : "keep" };
  }
}
