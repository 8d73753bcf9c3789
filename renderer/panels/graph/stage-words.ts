/** State of a stage as its node says it: an icon, a word, and how far its request is. */
import type { Milliseconds } from "../../../core/contract/ids";
import type { RequestView, StageView } from "../../../core/view/view";
import type { IconName } from "../../drawing/icon";
import { age, count, duration, percent, wholeSeconds } from "../../words/figures";

export interface StageNow {
  readonly stage: StageView;
  /** When it can start, as far as that can be foreseen. */
  readonly dueMs?: Milliseconds | null;
  readonly request: RequestView | undefined;
}

export function stageIcon({ stage, request }: StageNow): IconName {
  switch (stage.phase) {
    case "done":
      return "done";
    case "running":
      return request?.phase === "prefill" ? "prefill" : "running";
    case "waiting":
      return (request?.generatedTokens ?? 0) > 0 ? "held" : "waiting";
    case "next":
      return "next";
    case "not_ready":
      return "locked";
    default:
      return stage.phase satisfies never;
  }
}

export function stageText({ stage, request, dueMs = null }: StageNow, nowMs: Milliseconds): string {
  switch (stage.phase) {
    case "done":
      return stage.startedAtMs === null || stage.finishedAtMs === null
        ? "done"
        : `done in ${duration(stage.finishedAtMs - stage.startedAtMs)}`;
    case "running":
      return request ? progressText(request) : "running";
    case "waiting":
      if (!request) return "ready";
      if (request.generatedTokens > 0) return `resumes at ${count(request.generatedTokens)}`;
      return `ready, waits ${shortAge(nowMs - request.arrivedAtMs)}`;
    case "next":
      return dueMs === null ? "next" : dueMs <= nowMs ? "next, any moment" : `next, in ${age(dueMs - nowMs)}`;
    case "not_ready":
      return "not ready";
    default:
      return stage.phase satisfies never;
  }
}

/** From ten seconds on without tenths: a node is narrow. */
function shortAge(ms: Milliseconds): string {
  return ms < 9_950 ? age(ms) : wholeSeconds(ms);
}

/** "prefill 83%" or "decode 142 of 200"; the second number is the most it may generate. */
export function progressText(request: RequestView): string {
  if (request.phase === "prefill") return `prefill ${percent(prefillShare(request))}`;
  return `decode ${count(request.generatedTokens)} of ${count(request.maxTokens)}`;
}

export function progressShare(request: RequestView | undefined): number {
  if (!request || request.phase === "waiting") return 0;
  if (request.phase === "prefill") return prefillShare(request);
  return request.generatedTokens / Math.max(1, request.maxTokens);
}

/** Of prompt and answer so far: after a restart both have to be evaluated again. */
function prefillShare(request: RequestView): number {
  return 1 - request.tokensToEvaluate / Math.max(1, request.promptTokens + request.generatedTokens);
}
