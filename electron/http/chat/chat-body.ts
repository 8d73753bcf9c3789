/** Reads the body of a chat completion: `null` is absent, unknown fields are ignored, what is not supported is refused by name. */
import { z } from "zod";
import type { ChatMessage, SamplingOptions } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import type { ChatPrompt } from "../generation/generation-request";
import { refuseLongLists } from "../long-lists";
import { isNestedAtMost } from "../nesting";
import { maxTokensField, samplingFields, samplingOptions, stopTexts } from "../sampling-fields";
import { absent } from "../zod-absent";
import { chatMessages, messageSchema } from "./chat-messages";
import { answerFormat, chatTools, toolChoice, toolFields, toolsMax } from "./chat-tools";

/** OpenAI's own limit. Rendering many more would hold up the engine. */
export const messagesMax = 2048;
/** Parts of one message, and calls in it. */
const partsMax = 4096;
/** Levels of objects and arrays inside `metadata`: it is given back, and writing JSON goes down into each of them. */
const metadataDepthMax = 32;

export const chatSchema = z.object({
  model: z.string().min(1, "name the model, or say 'default' for the loaded one"),
  messages: z.array(messageSchema).min(1, "at least one message is needed").max(messagesMax),
  ...samplingFields,
  max_completion_tokens: maxTokensField,
  metadata: absent(
    z.record(z.string(), z.unknown()).refine((value) => isNestedAtMost(value, metadataDepthMax), {
      error: `at most ${metadataDepthMax} levels are possible`,
    }),
  ),
  service_tier: absent(z.string().max(64, "at most 64 characters are possible")),
  logprobs: absent(z.boolean()),
  top_logprobs: absent(z.int().min(0).max(20)),
  chat_template_kwargs: absent(z.record(z.string(), z.unknown())),
  reasoning_effort: absent(z.string().max(64)),
  modalities: absent(z.array(z.unknown())),
  ...toolFields,
});

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
  refuseLongLists(body, { messages: messagesMax, tools: toolsMax });
  for (const [index, message] of messagesIn(body).entries()) {
    refuseLongLists(message, { content: partsMax, tool_calls: partsMax }, `messages.${index}.`);
  }
  const read = chatSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const fields = read.data;
  refuseImpossible(fields);
  const tools = chatTools(fields);
  const choice = toolChoice(fields, tools);
  if (fields.grammar !== undefined && choice.kind !== "none" && choice.kind !== "auto") {
    const message = "A grammar and a required tool cannot both be obeyed.";
    throw new ApiError("unsupported_parameter", message, { param: "grammar" });
  }
  return {
    model: fields.model,
    messages: chatMessages(fields.messages),
    tools,
    toolChoice: choice,
    parallelToolCalls: fields.parallel_tool_calls ?? true,
    format: answerFormat(fields),
    templateOptions: templateOptions(fields),
    choices: fields.n ?? 1,
    stream: fields.stream ?? false,
    includeUsage: fields.stream_options?.include_usage ?? false,
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens ?? null,
    sampling: samplingOptions(fields, fields.logprobs ? (fields.top_logprobs ?? 0) : undefined),
    stop: stopTexts(fields),
    user: fields.user,
    sessionId: fields.session_id,
    metadata: fields.metadata ?? {},
    echo: {
      ...(fields.metadata === undefined ? {} : { metadata: fields.metadata }),
      ...(fields.service_tier === undefined ? {} : { service_tier: fields.service_tier }),
    },
  };
}

function messagesIn(body: unknown): readonly unknown[] {
  const messages = typeof body === "object" && body !== null && "messages" in body ? body.messages : [];
  return Array.isArray(messages) ? messages : [];
}

function refuseImpossible(fields: z.output<typeof chatSchema>): void {
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
}

/** `none` switches thinking off; other efforts are for templates that know them. */
function templateOptions(fields: z.output<typeof chatSchema>): Record<string, unknown> {
  const { reasoning_effort: effort, chat_template_kwargs: given } = fields;
  const thought =
    effort === undefined ? {} : effort === "none" ? { enable_thinking: false } : { reasoning_effort: effort };
  return { ...thought, ...given };
}
