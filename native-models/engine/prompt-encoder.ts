/**
 * Makes tokens of prompts and finds how many of them are the agent's own, the part that its next request will begin
 * with again. Must never hold up the engine: a text that cannot fit is refused before it is tokenised.
 */
import {
  type ChatMessage,
  type EncodedPrompt,
  PromptRefused,
  type PromptSource,
  PromptTooLong,
} from "../../core/contract/engine";
import type { ChatTemplate } from "./chat-template";

export interface EncoderParts {
  readonly render: ChatTemplate;
  readonly tokenize: (text: string) => Uint32Array;
  readonly bosToken: number | null;
  readonly slotTokens: number;
}

/** More characters a token than any text has on average; a prompt above it is longer than a slot for certain. */
const CHARACTERS_PER_TOKEN_MAX = 64;
/** Enough to estimate the tokens of the rest. */
const SAMPLE_CHARACTERS = 16_384;
const CACHED_PREFIXES_MAX = 64;
/** Two user messages that share no first character: what their renderings share comes from the system messages alone. */
const PROBES = ["Alpha", "7"] as const;

export class PromptEncoder {
  readonly #parts: EncoderParts;
  /** System messages as JSON to the tokens that every rendering of them begins with; oldest first. */
  readonly #prefixes = new Map<string, Uint32Array>();

  constructor(parts: EncoderParts) {
    this.#parts = parts;
  }

  encode(source: PromptSource): EncodedPrompt {
    switch (source.kind) {
      case "text":
        return { tokens: Array.from(this.#tokens(source.text)), prefixTokens: 0 };
      case "chat": {
        const tokens = this.#tokens(this.#parts.render(source.messages));
        const prefix = this.#prefixOf(source.messages);
        return { tokens: Array.from(tokens), prefixTokens: sharedLength(tokens, prefix) };
      }
      default:
        return source satisfies never;
    }
  }

  #tokens(text: string): Uint32Array {
    const { slotTokens, tokenize, bosToken } = this.#parts;
    const charactersMax = slotTokens * CHARACTERS_PER_TOKEN_MAX;
    if (text.length > charactersMax) {
      const sampleTokens = tokenize(text.slice(0, SAMPLE_CHARACTERS)).length;
      const promptTokens = Math.round((sampleTokens * text.length) / Math.min(text.length, SAMPLE_CHARACTERS));
      throw new PromptTooLong(Math.max(promptTokens, slotTokens), slotTokens);
    }
    const tokens = tokenize(text);
    if (bosToken === null || tokens[0] === bosToken) return tokens;
    const withBos = new Uint32Array(tokens.length + 1);
    withBos[0] = bosToken;
    withBos.set(tokens, 1);
    return withBos;
  }

  #prefixOf(messages: readonly ChatMessage[]): Uint32Array {
    const systemMessages = leadingSystemMessages(messages);
    if (systemMessages.length === 0) return new Uint32Array();
    const key = JSON.stringify(systemMessages);
    const known = this.#prefixes.get(key);
    const prefix = known ?? this.#measurePrefix(systemMessages);
    this.#prefixes.delete(key);
    this.#prefixes.set(key, prefix);
    if (this.#prefixes.size > CACHED_PREFIXES_MAX) {
      for (const oldest of this.#prefixes.keys()) {
        this.#prefixes.delete(oldest);
        break;
      }
    }
    return prefix;
  }

  #measurePrefix(systemMessages: readonly ChatMessage[]): Uint32Array {
    try {
      const [one, other] = PROBES.map((content) =>
        this.#tokens(this.#parts.render([...systemMessages, { role: "user", content }])),
      );
      return one && other ? one.subarray(0, sharedLength(one, other)) : new Uint32Array();
    } catch (error) {
      if (error instanceof PromptRefused || error instanceof PromptTooLong) return new Uint32Array();
      throw error;
    }
  }
}

function leadingSystemMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const end = messages.findIndex(({ role }) => role !== "system");
  return end < 0 ? messages : messages.slice(0, end);
}

function sharedLength(one: Uint32Array, other: Uint32Array): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
}
