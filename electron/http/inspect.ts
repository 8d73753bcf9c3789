/** `GET /v1/decisions/{n}/inspect`: everything about one decision, as the window's inspector shows it. */
import type { FastifyInstance } from "fastify";
import { ApiError } from "./api-error";
import type { HttpContext } from "./http-context";
import { route } from "./route";
import { snakeCased } from "./snake-cased";

export function registerInspect(app: FastifyInstance, { live }: HttpContext): void {
  route(app, "/v1/decisions/:number/inspect", {
    get: async (request) => {
      const { number } = request.params as { number: string };
      const result = await live.inspect(decisionNumber(number));
      switch (result.kind) {
        case "found":
          return { object: "decision.inspection", ...snakeCased(result.inspection) };
        case "forgotten":
          throw notFound(
            `Decision ${number} is too old to be inspected: ${keptWords(result.firstKept, result.lastKept)}.`,
          );
        case "not_made":
          throw notFound(`There is no decision ${number} yet: ${result.decisions} were made so far.`);
        case "failed":
          throw new Error(result.message);
        default:
          return result satisfies never;
      }
    },
  });
}

function decisionNumber(text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  const message = `'${text}' is not the number of a decision. They count from 1, as 'decision' in /v1/queue and explain says.`;
  throw new ApiError("invalid_value", message, { param: "number" });
}

function keptWords(first: number, last: number): string {
  return first > last ? "none is kept" : `${first} to ${last} are kept`;
}

function notFound(message: string): ApiError {
  return new ApiError("decision_not_found", message, { param: "number" });
}
