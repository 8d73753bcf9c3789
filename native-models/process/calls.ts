/**
 * What the owner may ask of the engine's process and gets one answer to: the questions' schemas, and the checks of the
 * answers. What one may be rejected with stands in call-failure.ts.
 */
import { z } from "zod";
import type { EncodedPrompt, EnginePort, PromptSource, TokenizeOptions } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";

/** Each question's parameters and answer, by its name. */
interface CallTypes {
  encode: { parameters: { readonly source: PromptSource }; answer: EncodedPrompt };
  tokenize: { parameters: { readonly text: string; readonly options: TokenizeOptions }; answer: readonly Token[] };
  detokenize: { parameters: { readonly tokens: readonly Token[] }; answer: string };
  embed: {
    parameters: { readonly inputs: readonly (readonly Token[])[]; readonly normalize: boolean };
    answer: readonly (readonly number[])[];
  };
  check_grammar: { parameters: { readonly grammar: string }; answer: null };
}

export type CallName = keyof CallTypes;
export type CallAnswer<Name extends CallName> = CallTypes[Name]["answer"];
export type Call<Name extends CallName = CallName> = {
  [Each in Name]: { readonly name: Each } & CallTypes[Each]["parameters"];
}[Name];

const token = z.number().int().nonnegative();

const messageSchema = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  name: z.string().optional(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
  toolCallId: z.string().optional(),
  reasoning: z.string().optional(),
});

const toolSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
});

const sourceSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("chat"),
    messages: z.array(messageSchema),
    tools: z.array(toolSchema).optional(),
    templateOptions: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("tokens"), tokens: z.array(token) }),
]);

export const callSchema: z.ZodType<Call> = z.discriminatedUnion("name", [
  z.object({ name: z.literal("encode"), source: sourceSchema }),
  z.object({
    name: z.literal("tokenize"),
    text: z.string(),
    options: z.object({ addBos: z.boolean(), special: z.boolean() }),
  }),
  z.object({ name: z.literal("detokenize"), tokens: z.array(z.number()) }),
  z.object({ name: z.literal("embed"), inputs: z.array(z.array(z.number())), normalize: z.boolean() }),
  z.object({ name: z.literal("check_grammar"), grammar: z.string() }),
]);

/** Answers are long lists of numbers: their outer shape is checked, by hand. */
const isAnswer: { readonly [Name in CallName]: (value: unknown) => boolean } = {
  encode: (value) => {
    const prompt = value as Partial<EncodedPrompt> | null;
    return Array.isArray(prompt?.tokens) && typeof prompt.prefixTokens === "number";
  },
  tokenize: Array.isArray,
  detokenize: (value) => typeof value === "string",
  embed: (value) => Array.isArray(value) && value.every(Array.isArray),
  check_grammar: (value) => value === null,
};

/** Throws when the value cannot be the answer to this question. */
export function readAnswer<Name extends CallName>(name: Name, value: unknown): CallAnswer<Name> {
  if (isAnswer[name](value)) return value as CallAnswer<Name>;
  throw new TypeError(`The engine's answer to "${name}" came without its parts.`);
}

export async function answerCall(engine: EnginePort, call: Call): Promise<unknown> {
  switch (call.name) {
    case "encode":
      return engine.encode(call.source);
    case "tokenize":
      return engine.tokenize(call.text, call.options);
    case "detokenize":
      return engine.detokenize(call.tokens);
    case "embed":
      return engine.embed(call.inputs, { normalize: call.normalize });
    case "check_grammar":
      await engine.checkGrammar(call.grammar);
      return null;
    default:
      return call satisfies never;
  }
}
