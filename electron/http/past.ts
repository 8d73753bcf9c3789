/** `GET /v1/requests`, `/v1/decisions`, `/v1/decisions/{n}` and `/v1/residency`: what happened and what the KV cache holds, as plain lists. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError } from "./api-error";
import { fieldError } from "./field-error";
import type { HttpContext } from "./http-context";
import { roundMs } from "./round-ms";
import { route } from "./route";
import { snakeCased } from "./snake-cased";

const limit = z.coerce.number().int().min(1).max(1000).default(100);

export const requestsQuery = z.object({
  agent: z.string().optional(),
  task_id: z.string().optional(),
  workflow_id: z.string().optional(),
  outcome: z.enum(["waiting", "running", "finished", "cancelled", "failed"]).optional(),
  limit,
});

export const decisionsQuery = z.object({ since: z.coerce.number().int().min(0).default(0), limit });

export function registerPast(app: FastifyInstance, { live }: HttpContext): void {
  route(app, "/v1/requests", {
    get: async (request) => {
      const wanted = read(requestsQuery, request);
      const found = live.past
        .requests()
        .filter(
          (record) =>
            (wanted.agent === undefined || record.agent === wanted.agent) &&
            (wanted.task_id === undefined || record.taskId === wanted.task_id) &&
            (wanted.workflow_id === undefined || record.workflowId === wanted.workflow_id) &&
            (wanted.outcome === undefined || record.outcome === wanted.outcome),
        )
        .toReversed();
      const data = found
        .slice(0, wanted.limit)
        .map(({ waits: _, ...record }) => ({ object: "request", ...snakeCased(record) }));
      return { object: "list", data, has_more: found.length > data.length };
    },
  });
  route(app, "/v1/decisions", {
    get: async (request) => {
      const { since, limit: most } = read(decisionsQuery, request);
      const { decisions } = live.past;
      const found = decisions.filter(({ number }) => number > since);
      const data = found.slice(0, most).map((decision) => ({ object: "decision", ...snakeCased(decision) }));
      return { object: "list", data, has_more: found.length > data.length, first_kept: decisions[0]?.number ?? null };
    },
  });
  route(app, "/v1/decisions/:number", {
    get: async (request) => {
      const { number } = request.params as { number: string };
      const decision = live.past.decisions.find((made) => String(made.number) === number);
      if (decision) return { object: "decision", ...snakeCased(decision) };
      const { decisions } = live.past;
      const kept = decisions.length === 0 ? "none" : `${decisions[0]?.number} to ${decisions.at(-1)?.number}`;
      throw new ApiError("decision_not_found", `There is no decision ${number}; kept: ${kept}.`, { param: "number" });
    },
  });
  route(app, "/v1/residency", {
    get: async () => {
      const { slots, atMs, pinned } = live.view;
      return {
        object: "list",
        data: slots.map((slot) => ({
          ...snakeCased(slot),
          pinned: slot.agent !== null && pinned.includes(slot.agent),
          idle_ms: slot.idleSinceMs === null ? null : roundMs(Math.max(0, atMs - slot.idleSinceMs)),
        })),
        evictions: live.past.evictions.slice(-100).toReversed().map(snakeCased),
      };
    },
  });
}

function read<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const result = schema.safeParse(request.query);
  if (!result.success) throw fieldError(result.error.issues, request.query);
  return result.data;
}
