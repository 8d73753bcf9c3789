/** Single parts of a made-up view: everything has a plain value but what a picture needs. Nothing here was measured. */
import { emptySlot } from "../../../core/view/empty-slot";
import type { QueueRow, RequestView, SlotView, StageView } from "../../../core/view/view";

export const NOW_MS = 41_600;

export function request(label: string, more: Partial<RequestView>): RequestView {
  return {
    requestId: label,
    label,
    agent: label.split("#")[0] ?? label,
    taskId: label,
    stageId: null,
    phase: "waiting",
    movedUp: false,
    priority: "normal",
    deadlineMs: null,
    arrivedAtMs: NOW_MS,
    admittedAtMs: null,
    firstTokenAtMs: null,
    slot: null,
    source: null,
    promptTokens: 1_000,
    prefixTokens: 768,
    generatedTokens: 0,
    maxTokens: 200,
    tokensToEvaluate: 1_000,
    ...more,
  };
}

export function slot(index: number, more: Partial<SlotView>): SlotView {
  return { ...emptySlot(index), ...more };
}

export function row(requestId: string, more: Partial<QueueRow>): QueueRow {
  return {
    requestId,
    place: 1,
    formerPlace: null,
    score: 0,
    reuse: { kind: "prefill", tokens: 0 },
    sentence: "",
    code: "NO_FREE_SLOT",
    decision: 1_284,
    ...more,
  };
}

export function stage(stageId: string, label: string, more: Partial<StageView>): StageView {
  return {
    stageId,
    agent: label.split("#")[0] ?? label,
    after: [],
    phase: "not_ready",
    requestId: label.includes("#") ? label : null,
    label,
    startedAtMs: null,
    finishedAtMs: null,
    onCriticalPath: false,
    ...more,
  };
}
