/** What clients say on purpose: our headers, `metadata`, W3C baggage with the same keys, and the trace they are part of. */
import type { IncomingHttpHeaders } from "node:http";
import type { Claims, IdentityField } from "./claims";

const headerFields: Readonly<Record<string, IdentityField>> = {
  "x-workflow-id": "workflow",
  "x-workflow-run": "run",
  "x-workflow-stage": "stage",
  "x-agent": "agent",
  "x-session-id": "session",
  "x-parent-session-id": "parentSession",
};

const keyFields: Readonly<Record<string, IdentityField>> = {
  "workflow.id": "workflow",
  "workflow.run": "run",
  "workflow.stage": "stage",
  "gen_ai.agent.name": "agent",
  "gen_ai.conversation.id": "session",
};

export function fromHeaders(headers: IncomingHttpHeaders): Claims {
  const said = (name: string) => readHeader(headers, name);
  return claimsOf(Object.entries(headerFields).map(([name, field]) => [field, said(name)]));
}

export function fromMetadata(metadata: Readonly<Record<string, unknown>>): Claims {
  return claimsOf(Object.entries(keyFields).map(([key, field]) => [field, wordOf(metadata[key])]));
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
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
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
