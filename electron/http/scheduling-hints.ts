/**
 * What a client may say about when its request should run: a priority class and a deadline, in the body or in headers. They order
 * the queue and end a request in time; they never change what is generated.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Priority, RequestSpec } from "../../core/topas/inputs";
import { ApiError } from "./api-error";

/** A day; more is no deadline. */
const deadlineMaxMs = 86_400_000;
const clientLengthMax = 128;

/** Fields of a body that every API of ours understands; anything else in them is refused by name. */
export interface HintFields {
  /** OpenAI's: `priority` and `flex` are classes, all others are normal. */
  readonly service_tier?: unknown;
  /** A class by its name, or vLLM's number: lower goes first, 0 is normal. */
  readonly priority?: unknown;
  /** OpenAI's name for whom the request is made. */
  readonly user?: unknown;
  /** Milliseconds from now. */
  readonly deadline_ms?: unknown;
}

export type SchedulingHints = Pick<RequestSpec, "priority" | "client" | "deadlineMs">;

/** `nowMs` is the server's clock, `keyName` whoever the API key belongs to. A header wins over the body. */
export function readHints(
  headers: IncomingHttpHeaders,
  body: unknown,
  nowMs: number,
  keyName?: string,
): SchedulingHints {
  const fields: HintFields = typeof body === "object" && body !== null ? body : {};
  const priority = priorityOf(headers["x-priority"], fields);
  const inMs = deadlineOf(headers["x-deadline-ms"], fields.deadline_ms);
  const client = nameIn(keyName, headers["x-client-id"], fields.user);
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(inMs === undefined ? {} : { deadlineMs: nowMs + inMs }),
    ...(client === undefined ? {} : { client }),
  };
}

/** The first that names anybody. */
function nameIn(...names: readonly unknown[]): string | undefined {
  const named = names.find((name): name is string => typeof name === "string" && name !== "");
  return named?.slice(0, clientLengthMax);
}

function priorityOf(
  header: string | string[] | undefined,
  { priority, service_tier }: HintFields,
): Priority | undefined {
  const said = header ?? priority ?? undefined;
  if (said === undefined) return service_tier === "priority" ? "high" : service_tier === "flex" ? "low" : undefined;
  if (said === "high" || said === "low") return said;
  if (said === "normal") return undefined;
  const number = typeof said === "string" && /^-?\d{1,9}$/.test(said) ? Number(said) : said;
  if (typeof number === "number" && Number.isInteger(number))
    return number < 0 ? "high" : number > 0 ? "low" : undefined;
  throw new ApiError("invalid_value", "Wrong value for 'priority': say high, normal or low, or a whole number.", {
    param: "priority",
  });
}

function deadlineOf(header: string | string[] | undefined, field: unknown): number | undefined {
  const said = header ?? field ?? undefined;
  if (said === undefined) return undefined;
  const ms = typeof said === "string" && /^\d{1,9}$/.test(said) ? Number(said) : said;
  if (typeof ms === "number" && Number.isInteger(ms) && ms >= 1 && ms <= deadlineMaxMs) return ms;
  const message = `Wrong value for 'deadline_ms': a whole number of milliseconds from 1 to ${deadlineMaxMs} is needed.`;
  throw new ApiError("invalid_value", message, { param: "deadline_ms" });
}
