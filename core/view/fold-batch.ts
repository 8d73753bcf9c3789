/** A step of a batch moves the slots' fill and the requests' progress, and counts tokens. */
import type { RequestId } from "../contract/ids";
import type { LiveView, RequestView, SlotView } from "./view";
import type { ViewEvent } from "./view-event";

const recentMax = 100;

type StepEvent = Extract<ViewEvent, { kind: "batch.stepped" } | { kind: "batch.finished" }>;

export function foldBatch(view: LiveView, event: StepEvent): LiveView {
  const requests: Record<RequestId, RequestView> = { ...view.requests };
  const slots = [...view.slots];
  const drawn = new Set(event.drawn);
  const failed = new Set(event.failedRequests);
  const recentTtftMs = [...view.recentTtftMs];
  let computedTokens = 0;
  for (const { requestId, slot, tokens } of view.underWay) {
    const held = slots[slot];
    if (held === undefined || failed.has(requestId)) continue;
    const request = requests[requestId];
    slots[slot] = {
      ...held,
      heldTokens: held.heldTokens + tokens,
      toPrefillTokens: Math.max(0, held.toPrefillTokens - tokens),
    };
    if (request === undefined) continue;
    if (request.phase === "prefill") computedTokens += tokens;
    const next = advance(request, tokens, drawn.has(requestId), event.atMs);
    if (request.firstTokenAtMs === null && next.firstTokenAtMs !== null)
      recentTtftMs.push(event.atMs - request.arrivedAtMs);
    requests[requestId] = next;
  }
  const totals = {
    ...view.totals,
    computedTokens: view.totals.computedTokens + computedTokens,
    generatedTokens: view.totals.generatedTokens + event.drawn.length,
  };
  const counted = countTokens(view, event.drawn.length, event.atMs);
  const underWay = event.kind === "batch.stepped" ? view.underWay : [];
  return { ...counted, requests, slots, totals, recentTtftMs: recentTtftMs.slice(-recentMax), underWay };
}

function advance(request: RequestView, tokens: number, drawn: boolean, atMs: number): RequestView {
  return {
    ...request,
    phase: drawn ? "decode" : request.phase,
    firstTokenAtMs: request.firstTokenAtMs ?? (drawn ? atMs : null),
    generatedTokens: request.generatedTokens + (drawn ? 1 : 0),
    tokensToEvaluate: drawn ? 1 : Math.max(0, request.tokensToEvaluate - tokens),
  };
}

/** Seconds in which nothing was drawn count as zero. */
function countTokens(view: LiveView, tokens: number, atMs: number): LiveView {
  const second = Math.floor(atMs / 1000);
  const passed = Math.min(view.tokensPerSecond.length, Math.max(0, second - view.tokensPerSecondAt));
  const tokensPerSecond = [...view.tokensPerSecond.slice(passed), ...new Array<number>(passed).fill(0)];
  const last = tokensPerSecond.length - 1;
  tokensPerSecond[last] = (tokensPerSecond[last] ?? 0) + tokens;
  return { ...view, tokensPerSecond, tokensPerSecondAt: second };
}

/** Fill of a slot after its request left or came: used by the request folds. */
export function withSlot(view: LiveView, slot: number, change: Partial<SlotView>): LiveView {
  const slots = view.slots.map((other) => (other.slot === slot ? { ...other, ...change } : other));
  return { ...view, slots };
}
