/** `GET /v1/requests/{id}/explain`: how long a request waited and why, and where its prompt's tokens came from. */
import type { FastifyInstance } from "fastify";
import type { RequestId } from "../../core/contract/ids";
import type { RequestRecord } from "../../core/view/request-record";
import { ApiError } from "./api-error";
import { explainSummary } from "./explain-summary";
import type { HttpContext } from "./http-context";
import { roundMs } from "./round-ms";
import { route } from "./route";

export function registerExplain(app: FastifyInstance, { live, refusals }: HttpContext): void {
  route(app, "/v1/requests/:id/explain", {
    get: async (request) => {
      const { id } = request.params as { id: string };
      for (const requestId of [id, id.replace(/^chatcmpl-/, "")]) {
        const record = live.explain(requestId);
        if (record) return explanation(record, Math.max(live.view.atMs, record.arrivedAtMs));
        const refusal = refusals.find(requestId);
        if (refusal) return refusalExplanation(requestId, refusal);
      }
      const message = `There is no request '${id}' among those open and the last 1,000. Its id is the x-request-id of its answer.`;
      throw new ApiError("request_not_found", message, { param: "id" });
    },
  });
}

function refusalExplanation(requestId: RequestId, { code, message }: ApiError): object {
  return {
    object: "request.explanation",
    request_id: requestId,
    summary: `It was refused: ${message}`,
    outcome: "refused",
    code,
    message,
  };
}

function explanation(record: RequestRecord, nowMs: number): object {
  const waitedMs = waitedFor(record, nowMs);
  return {
    object: "request.explanation",
    request_id: record.requestId,
    summary: explainSummary(record, waitedMs),
    label: record.label,
    agent: record.agent,
    task_id: record.taskId,
    workflow_id: record.workflowId,
    stage_id: record.stageId,
    outcome: record.outcome,
    ending: record.ending,
    waited_ms: roundMs(waitedMs),
    waits: record.waits.map((wait) => ({
      code: wait.code,
      sentence: wait.sentence,
      decision: wait.decision,
      from_ms: roundMs(wait.fromMs),
      to_ms: wait.toMs === null ? null : roundMs(wait.toMs),
      ms: roundMs(Math.max(0, (wait.toMs ?? nowMs) - wait.fromMs)),
    })),
    admitted_because: record.admittedBecause,
    slot: record.slot,
    prompt: {
      tokens: record.promptTokens,
      reused_in_place: record.reusedTokens,
      forked: record.forkedTokens,
      forked_from_slot: record.forkedFromSlot,
      computed: record.computedTokens,
    },
    generated_tokens: record.generatedTokens,
    ttft_ms: record.firstTokenAtMs === null ? null : roundMs(record.firstTokenAtMs - record.arrivedAtMs),
    duration_ms: record.endedAtMs === null ? null : roundMs(record.endedAtMs - record.arrivedAtMs),
    restarts: record.restarts,
  };
}

function waitedFor(record: RequestRecord, nowMs: number): number {
  return Math.max(0, (record.admittedAtMs ?? record.endedAtMs ?? nowMs) - record.arrivedAtMs);
}
