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
  type TokenizeOptions,
} from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";
import type { Conversation } from "./chat-template";
import { checkTokens } from "./check-tokens";
import { isFarTooLong, sampleOf, tooLong } from "./prompt-length";
import { type PromptPart, shieldTexts, unshield } from "./shielded-texts";

export interface EncoderParts {
  /** Throws `PromptRefused` when the template raises. */
  readonly render: (conversation: Conversation) => string;
  /** `special`: marks such as <|im_end|> become the tokens they stand for, else plain text. */
  readonly tokenize: (text: string, special: boolean) => Uint32Array;
  /** Special tokens as their marks. */
  readonly detokenize: (tokens: readonly Token[]) => string;
  readonly bosToken: number | null;
  readonly vocabularySize: number;
  readonly slotTokens: number;
}

const CACHED_PREFIXES_MAX = 64;
/** Two user messages that share no first character: what their renderings share comes from the system messages alone. */
const PROBES = ["Alpha", "7"] as const;

export class PromptEncoder {
  readonly #parts: EncoderParts;
  /** System messages, tools and options as JSON to the tokens that every rendering of them begins with; oldest first. */
  readonly #prefixes = new Map<string, Uint32Array>();

  constructor(parts: EncoderParts) {
    this.#parts = parts;
  }

  encode(source: PromptSource): EncodedPrompt {
    switch (source.kind) {
      case "tokens":
        checkTokens(source.tokens, this.#parts.vocabularySize);
        return { tokens: source.tokens, prefixTokens: 0 };
      case "text":
        return { tokens: Array.from(this.#tokens([{ kind: "template", text: source.text }])), prefixTokens: 0 };
      case "chat": {
        const tokens = this.#rendered(source);
        const prefix = this.#prefixOf(source);
        return { tokens: Array.from(tokens), prefixTokens: sharedLength(tokens, prefix) };
      }
      default:
        return source satisfies never;
    }
  }

  tokenize(text: string, { addBos, special }: TokenizeOptions): Token[] {
    this.#refuseTooLong(text);
    const { tokenize, bosToken } = this.#parts;
    const tokens = Array.from(tokenize(text, special));
    return addBos && bosToken !== null && tokens[0] !== bosToken ? [bosToken, ...tokens] : tokens;
  }

  detokenize(tokens: readonly Token[]): string {
    checkTokens(tokens, this.#parts.vocabularySize);
    return this.#parts.detokenize(tokens);
  }

  #rendered(conversation: Conversation): Uint32Array {
    const { messages, tools } = conversation;
    this.#refuseTooLong([...messages.map(({ content }) => content), tools ? JSON.stringify(tools) : ""].join("\n"));
    const { conversation: shielded, texts } = shieldTexts(conversation, (text) => this.#isRisky(text));
    return this.#tokens(unshield(this.#parts.render(shielded), texts));
  }

  /** Nearly all special tokens begin with one of two brackets; only then both ways of reading are compared. */
  #isRisky(text: string): boolean {
    if (!/[<[]/.test(text)) return false;
    const { tokenize } = this.#parts;
    const [special, plain] = [tokenize(text, true), tokenize(text, false)];
    return special.length !== plain.length || special.some((token, at) => token !== plain[at]);
  }

  #refuseTooLong(text: string): void {
    const { slotTokens, tokenize } = this.#parts;
    if (!isFarTooLong(text.length, slotTokens)) return;
    const sample = sampleOf(text);
    throw tooLong(text.length, sample, tokenize(sample, true).length, slotTokens);
  }

  #tokens(parts: readonly PromptPart[]): Uint32Array {
    const { tokenize, bosToken } = this.#parts;
    for (const { text } of parts) this.#refuseTooLong(text);
    const pieces = parts.map(({ kind, text }) => tokenize(text, kind === "template"));
    const withBos = bosToken !== null && pieces[0]?.[0] !== bosToken ? [Uint32Array.of(bosToken), ...pieces] : pieces;
    const tokens = new Uint32Array(withBos.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of withBos) {
      tokens.set(piece, at);
      at += piece.length;
    }
    return tokens;
  }

  /** What every conversation of this agent begins with: its system messages and its tools. */
  #prefixOf({ messages, tools, templateOptions }: Conversation): Uint32Array {
    const systemMessages = leadingSystemMessages(messages);
    if (systemMessages.length === 0 && (tools ?? []).length === 0) return new Uint32Array();
    const beginning = {
      messages: systemMessages,
      ...(tools && { tools }),
      ...(templateOptions && { templateOptions }),
    };
    const key = JSON.stringify(beginning);
    const known = this.#prefixes.get(key);
    const prefix = known ?? this.#measurePrefix(beginning);
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

  #measurePrefix(beginning: Conversation): Uint32Array {
    try {
      const [one, other] = PROBES.map((content) =>
        this.#rendered({ ...beginning, messages: [...beginning.messages, { role: "user", content }] }),
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
