/** What clients say on purpose: our headers and their synonyms, the body, W3C baggage with the same keys, and the trace they are part of. */
import type { IncomingHttpHeaders } from "node:http";
import type { Claims, IdentityField } from "./claims";

/** Of two headers for one field the first counts. */
const headerFields: readonly (readonly [string, IdentityField])[] = [
  ["x-workflow-id", "workflow"],
  ["x-workflow-run", "run"],
  ["x-workflow-stage", "stage"],
  ["x-workflow-after", "after"],
  ["x-workflow-expect-tokens", "expectedTokens"],
  ["x-agent", "agent"],
  ["x-session-id", "session"],
  ["x-dynamo-session-id", "session"],
  ["x-parent-session-id", "parentSession"],
  ["x-dynamo-parent-session-id", "parentSession"],
  ["x-dynamo-session-final", "final"],
];

const keyFields: Readonly<Record<string, IdentityField>> = {
  "workflow.id": "workflow",
  "workflow.run": "run",
  "workflow.stage": "stage",
  "workflow.after": "after",
  "workflow.expect_tokens": "expectedTokens",
  "gen_ai.agent.name": "agent",
  "gen_ai.agent.id": "agent",
  "gen_ai.conversation.id": "session",
};

export function fromHeaders(headers: IncomingHttpHeaders): Claims {
  return claimsOf(headerFields.map(([name, field]) => [field, readHeader(headers, name)]));
}

/** Fields of vLLM, NVIDIA Dynamo and OpenAI in a body of any API; whatever has another type says nothing. */
export function fromBody(body: unknown): Claims {
  const said = membersOf(body);
  const hints = membersOf(said.nvext);
  const context = membersOf(hints.agent_context);
  const tier = said.service_tier;
  return claimsOf([
    ["session", wordOf(said.session_id)],
    ["workflow", wordOf(context.workflow_type_id)],
    ["run", wordOf(context.workflow_id)],
    ["session", wordOf(context.program_id)],
    ["parentSession", wordOf(context.parent_program_id)],
    ["expectedTokens", wordOf(membersOf(hints.agent_hints).osl)],
    ["priority", tier === "priority" ? "interactive" : tier === "flex" ? "background" : undefined],
  ]);
}

export function fromMetadata(metadata: Readonly<Record<string, unknown>>): Claims {
  const said = Object.entries(keyFields).map(([key, field]) => [field, wordOf(metadata[key])] as const);
  return claimsOf(said);
}

/** `key=value;property, key=value`, values percent-encoded. */
export function fromBaggage(headers: IncomingHttpHeaders): Claims {
  const said = new Map<string, string>();
  for (const member of (readHeader(headers, "baggage") ?? "").split(",")) {
    const [pair = ""] = member.split(";", 1);
    const equals = pair.indexOf("=");
    if (equals > 0) said.set(pair.slice(0, equals).trim(), decoded(pair.slice(equals + 1).trim()));
  }
  return fromMetadata(Object.fromEntries(said));
}

/** The trace id stands for the run: a program with a root span has one for all its calls. */
export function fromTraceparent(headers: IncomingHttpHeaders): Claims {
  const trace = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(readHeader(headers, "traceparent") ?? "")?.[1];
  return trace === undefined || /^0+$/.test(trace) ? {} : { run: trace };
}

/** Node reads headers as latin1; clients write names in UTF-8. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (typeof value !== "string") return undefined;
  const utf8 = Buffer.from(value, "latin1").toString("utf8");
  return utf8.includes("\uFFFD") ? value : utf8;
}

function claimsOf(pairs: readonly (readonly [IdentityField, string | undefined])[]): Claims {
  const claims: Claims = {};
  for (const [field, value] of pairs) if (value !== undefined && value !== "") claims[field] ??= value;
  return claims;
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
