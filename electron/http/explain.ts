/** `GET /v1/requests/{id}/explain`: how long a request waited and why, and where its prompt's tokens came from. */
import type { FastifyInstance } from "fastify";
import type { RequestId } from "../../core/contract/ids";
import type { RequestRecord } from "../../core/view/request-record";
import type { Live } from "../live/live";
import { ApiError } from "./api-error";
import { explainBreak } from "./cache-break";
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
        if (record) {
          const told = explanation(record, Math.max(live.view.atMs, record.arrivedAtMs));
          return { ...told, ...evictionsOf(live, record), cache_break: await cacheBreak(live, requestId) };
        }
        const refusal = refusals.find(requestId);
        if (refusal) return refusalExplanation(requestId, refusal);
      }
      const message = `There is no request '${id}' among those open and the last 1,000. Its id is the x-request-id of its answer.`;
      throw new ApiError("request_not_found", message, { param: "id" });
    },
  });
}

/** What it pushed out of the KV cache, and who had pushed its own agent's prefix out before. */
function evictionsOf({ past: { evictions } }: Live, { requestId, agent, admittedAtMs }: RequestRecord): object {
  const lost = evictions.findLast((each) => each.agent === agent && each.atMs < (admittedAtMs ?? Infinity));
  return {
    evicted: evictions.filter(({ by }) => by === requestId).map((each) => each.agent),
    last_evicted_by: lost ? { request_id: lost.by, decision: lost.decision, at_ms: roundMs(lost.atMs) } : null,
  };
}

/** Null when it begins like no prompt that is known, or while there is no engine to say what the tokens mean. */
async function cacheBreak(live: Live, requestId: RequestId): Promise<object | null> {
  const finding = live.past.finding(requestId);
  if (finding === null || live.health !== "ready") return null;
  const { nearest, nearestAgent, commonTokens } = finding;
  const [before = "", here = "", there = ""] = await Promise.all(
    [finding.before, finding.here, finding.there].map((tokens) => (tokens.length === 0 ? "" : live.detokenize(tokens))),
  );
  return {
    nearest_request: nearest,
    nearest_agent: nearestAgent,
    first_differing_token: commonTokens,
    ...explainBreak(before, here, there, finding.isInPrefix),
    common_text: before,
    text: here,
    nearest_text: there,
  };
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
    priority: record.priority,
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
