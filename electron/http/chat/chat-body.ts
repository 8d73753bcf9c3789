/** Reads the body of a chat completion: `null` is absent, unknown fields are ignored, what is not supported is refused by name. */
import { z } from "zod";
import type { ChatMessage, SamplingOptions } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import type { ChatPrompt } from "../generation/generation-request";
import { absent } from "../zod-absent";
import { chatMessages, messageSchema } from "./chat-messages";
import { answerFormat, chatTools, toolChoice, toolFields } from "./chat-tools";

/** OpenAI's own limit. Rendering many more would hold up the engine. */
export const messagesMax = 2048;
/** Levels of objects and arrays inside `metadata`: it is given back, and writing JSON goes down into each of them. */
const metadataDepthMax = 32;

const maxTokens = absent(
  z.int().min(1, "at least one token has to be asked for; leave it out to use all the room there is"),
);
const penalty = absent(z.number().min(-2).max(2));

const schema = z.object({
  model: z.string().min(1, "name the model, or say 'default' for the loaded one"),
  messages: z
    .array(messageSchema)
    .min(1, "at least one message is needed")
    .max(messagesMax, `at most ${messagesMax} messages are possible`),
  stream: absent(z.boolean()),
  stream_options: absent(z.object({ include_usage: absent(z.boolean()) })),
  max_completion_tokens: maxTokens,
  max_tokens: maxTokens,
  temperature: absent(z.number().min(0).max(2)),
  top_p: absent(z.number().min(0).max(1)),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  seed: absent(z.int()),
  stop: absent(z.union([z.string(), z.array(z.string()).max(4, "at most 4 stop texts are possible")])),
  top_k: absent(z.int()),
  min_p: absent(z.number().min(0).max(1)),
  user: absent(z.string()),
  session_id: absent(z.string()),
  metadata: absent(
    z.record(z.string(), z.unknown()).refine((value) => isNestedAtMost(value, metadataDepthMax), {
      error: `at most ${metadataDepthMax} levels are possible`,
    }),
  ),
  service_tier: absent(z.string().max(64, "at most 64 characters are possible")),
  n: absent(z.int().min(1, "at least one choice is made").max(128, "at most 128 choices are possible")),
  logprobs: absent(z.boolean()),
  top_logprobs: absent(z.int().min(0).max(20)),
  logit_bias: absent(z.record(z.string().regex(/^\d+$/, "tokens are whole numbers"), z.number().min(-100).max(100))),
  repeat_penalty: absent(z.number().gt(0).max(10)),
  typical_p: absent(z.number().min(0).max(1)),
  grammar: absent(z.string().max(1024 * 1024)),
  ignore_eos: absent(z.boolean()),
  chat_template_kwargs: absent(z.record(z.string(), z.unknown())),
  reasoning_effort: absent(z.string().max(64)),
  modalities: absent(z.array(z.unknown())),
  ...toolFields,
});

function isNestedAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedAtMost(inner, levels - 1));
}

export interface ChatBody {
  /** As the client wrote it: clients compare it with the answer's. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: ChatPrompt["tools"];
  readonly toolChoice: ChatPrompt["toolChoice"];
  readonly parallelToolCalls: boolean;
  readonly format: ChatPrompt["format"];
  readonly templateOptions: ChatPrompt["templateOptions"];
  readonly choices: number;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxTokens: number | null;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
  readonly user: string | undefined;
  readonly sessionId: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Fields given back as they came. */
  readonly echo: { readonly metadata?: object; readonly service_tier?: string };
}

export function readChatBody(body: unknown): ChatBody {
  if (body === undefined) throw new ApiError("invalid_json", "The body is empty. Send a JSON object.");
  const read = schema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const fields = read.data;
  refuseImpossible(fields);
  const tools = chatTools(fields);
  return {
    model: fields.model,
    messages: chatMessages(fields.messages),
    tools,
    toolChoice: toolChoice(fields, tools),
    parallelToolCalls: fields.parallel_tool_calls ?? true,
    format: answerFormat(fields),
    templateOptions: templateOptions(fields),
    choices: fields.n ?? 1,
    stream: fields.stream ?? false,
    includeUsage: fields.stream_options?.include_usage ?? false,
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens ?? null,
    sampling: samplingOptions(fields),
    stop: [fields.stop ?? []].flat().filter((text) => text !== ""),
    user: fields.user,
    sessionId: fields.session_id,
    metadata: fields.metadata ?? {},
    echo: {
      ...(fields.metadata === undefined ? {} : { metadata: fields.metadata }),
      ...(fields.service_tier === undefined ? {} : { service_tier: fields.service_tier }),
    },
  };
}

function refuseImpossible(fields: z.output<typeof schema>): void {
  const refuse = (param: string, message: string): never => {
    throw new ApiError("unsupported_parameter", message, { param });
  };
  if (fields.modalities?.some((modality) => modality !== "text")) refuse("modalities", "Only text can be produced.");
  if (fields.top_logprobs && !fields.logprobs) {
    refuse("top_logprobs", "'top_logprobs' needs 'logprobs' to be true.");
  }
  if (fields.grammar !== undefined && (fields.response_format?.type ?? "text") !== "text") {
    refuse("grammar", "A grammar and a response format cannot both be obeyed.");
  }
  if (fields.grammar !== undefined && !["none", "auto"].includes(String(fields.tool_choice ?? "auto"))) {
    refuse("grammar", "A grammar and a required tool cannot both be obeyed.");
  }
}

/** `none` switches thinking off; other efforts are for templates that know them. */
function templateOptions(fields: z.output<typeof schema>): Record<string, unknown> {
  const { reasoning_effort: effort, chat_template_kwargs: given } = fields;
  const thought =
    effort === undefined ? {} : effort === "none" ? { enable_thinking: false } : { reasoning_effort: effort };
  return { ...thought, ...given };
}

/** OpenAI's defaults, 1 and 1, not llama.cpp's 0.8 and 0.95. */
function samplingOptions(fields: z.output<typeof schema>): SamplingOptions {
  const biases = Object.entries(fields.logit_bias ?? {}).map(([token, bias]) => ({ token: Number(token), bias }));
  return {
    temperature: fields.temperature ?? 1,
    topP: fields.top_p ?? 1,
    ...(fields.top_k !== undefined && fields.top_k > 0 ? { topK: fields.top_k } : {}),
    ...(fields.min_p === undefined ? {} : { minP: fields.min_p }),
    ...(fields.presence_penalty === undefined ? {} : { presencePenalty: fields.presence_penalty }),
    ...(fields.frequency_penalty === undefined ? {} : { frequencyPenalty: fields.frequency_penalty }),
    ...(fields.seed === undefined ? {} : { seed: fields.seed }),
    ...(fields.repeat_penalty === undefined ? {} : { repeatPenalty: fields.repeat_penalty }),
    ...(fields.typical_p === undefined ? {} : { typicalP: fields.typical_p }),
    ...(fields.grammar === undefined ? {} : { grammar: fields.grammar }),
    ...(fields.ignore_eos ? { ignoreEndOfSequence: true } : {}),
    ...(fields.logprobs ? { topLogprobs: fields.top_logprobs ?? 0 } : {}),
    ...(biases.length > 0 ? { logitBias: biases } : {}),
  };
}
