/**
 * One record of who sent a request, from the many ways clients say it. Strongest carrier first, the first that names a
 * field wins, and each value keeps its carrier. Hints only: nothing here may be trusted or reach the prompt.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { ChatMessage } from "../../../core/contract/engine";
import { addressOf, keyOf, splitAlias } from "./caller";
import type { Carrier, Claims, IdentityField } from "./claims";
import { fromBaggage, fromBody, fromHeaders, fromMetadata, fromTraceparent } from "./from-explicit";
import { agentFromMessages } from "./from-messages";
import { fromClaudeCode, fromCodex, fromHelicone, fromLiteLlm, fromOpencode, fromOpenWebUi } from "./from-programs";

export interface Claim {
  readonly value: string;
  readonly carrier: Carrier;
}

export type Identity = Readonly<Partial<Record<IdentityField, Claim>>>;

export interface IdentitySource {
  /** As they came in: they also lead to the request's address and key. */
  readonly headers: IncomingHttpHeaders;
  /** As the client wrote it; an alias in it names the agent. */
  readonly model?: string;
  /** The whole body of any API, for fields that no API of ours reads otherwise. */
  readonly body?: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly sessionId: string | undefined;
  readonly user: string | undefined;
  readonly messages: readonly ChatMessage[];
}

/** `found`: what is known of the sender by other ways than its own words; stronger than a guess from its prompt. */
export function readIdentity(source: IdentitySource, found: readonly (readonly [Carrier, Claims])[] = []): Identity {
  const { headers, metadata, messages, user, model = "", body } = source;
  return merge([
    ["header", fromHeaders(headers)],
    ["body", { ...fromBody(body), session: source.sessionId ?? fromBody(body).session }],
    ["body", fromMetadata(metadata)],
    ["baggage", fromBaggage(headers)],
    ["claude_code", fromClaudeCode(headers, metadata)],
    ["codex", fromCodex(headers)],
    ["opencode", fromOpencode(headers)],
    ["open_webui", fromOpenWebUi(headers)],
    ["litellm", fromLiteLlm(headers, body)],
    ["helicone", fromHelicone(headers)],
    ["traceparent", fromTraceparent(headers)],
    ["url", addressOf(headers)],
    ["model_alias", { agent: splitAlias(model).agent }],
    ["api_key", keyOf(headers)],
    ...found,
    ...agentFromMessages(messages, user),
  ]);
}

function merge(carriers: readonly (readonly [Carrier, Claims])[]): Identity {
  const identity: Partial<Record<IdentityField, Claim>> = {};
  for (const [carrier, claims] of carriers) {
    for (const [field, said] of Object.entries(claims) as [IdentityField, string | undefined][]) {
      const value = said === undefined ? "" : cleanName(said);
      if (value !== "") identity[field] ??= { value, carrier };
    }
  }
  return identity;
}

export const nameLengthMax = 128;

/** Without control characters and at most 128 characters long. */
export function cleanName(text: string): string {
  const printable = text.slice(0, 4 * nameLengthMax).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
  return [...printable.trim()].slice(0, nameLengthMax).join("").trim();
}
