/** `GET /v1/queue`: who waits, in the policy's order, how long already and why. */
import type { FastifyInstance } from "fastify";
import type { QueueRow, RequestView } from "../../core/view/view";
import type { HttpContext } from "./http-context";
import { roundMs } from "./round-ms";
import { route } from "./route";

export function registerQueue(app: FastifyInstance, { live }: HttpContext): void {
  route(app, "/v1/queue", {
    get: async () => {
      const { requests, queue, atMs, policy } = live.view;
      const waiting = Object.values(requests).filter((request) => request.phase === "waiting");
      const rows = new Map(queue.map((row) => [row.requestId, row]));
      const order = new Map(queue.map((row, index) => [row.requestId, index]));
      const place = (request: RequestView) => order.get(request.requestId) ?? queue.length;
      const sorted = waiting.toSorted((a, b) => place(a) - place(b) || a.arrivedAtMs - b.arrivedAtMs);
      return {
        object: "list",
        policy,
        paused: live.view.pausedSinceMs !== null,
        running: Object.keys(requests).length - waiting.length,
        data: sorted.map((request, index) => queueObject(request, index + 1, rows.get(request.requestId), atMs)),
      };
    },
  });
}

function queueObject(request: RequestView, place: number, row: QueueRow | undefined, atMs: number): object {
  return {
    place,
    request_id: request.requestId,
    label: request.label,
    agent: request.agent,
    task_id: request.taskId,
    stage_id: request.stageId,
    priority: request.priority,
    deadline_in_ms: request.deadlineMs === null ? null : roundMs(request.deadlineMs - atMs),
    moved_up: request.movedUp,
    age_ms: roundMs(Math.max(0, atMs - request.arrivedAtMs)),
    prompt_tokens: request.promptTokens,
    // Null until the first decision after its arrival.
    reason: row ? { code: row.code, sentence: row.sentence } : null,
    score_s: row?.score ?? null,
    reuse: row?.reuse ?? null,
    decision: row?.decision ?? null,
  };
}
