/**
 * Reads the body of the Responses API: `null` is absent and unknown fields are ignored. What would change the answer and
 * cannot be done here (conversations kept by OpenAI, prompt templates, silent cutting) is refused by name.
 */
import { z } from "zod";
import type { SamplingOptions } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import type { AnswerFormat } from "../generation/generation-request";
import { absent } from "../zod-absent";
import { type InputItem, itemSchema } from "./input-items";
import { ToolBook, toolSchema } from "./tool-book";
import { choiceSchema, type ReadChoice, readChoice } from "./tool-choice";

const itemsMax = 4096;

const formatSchema = z.looseObject({
  type: z.enum(["text", "json_object", "json_schema"]),
  name: absent(z.string()),
  schema: absent(z.record(z.string(), z.unknown())),
});

const metadataSchema = z
  .record(
    z.string().max(64, "a key has at most 64 characters"),
    z.string().max(512, "at most 512 characters are possible"),
  )
  .refine((pairs) => Object.keys(pairs).length <= 16, { error: "at most 16 pairs are possible" });

const schema = z.object({
  model: z.string().min(1, "name the model, or say 'default' for the loaded one"),
  input: absent(z.union([z.string(), z.array(itemSchema).max(itemsMax, `at most ${itemsMax} items are possible`)])),
  instructions: absent(z.string()),
  previous_response_id: absent(z.string()),
  tools: absent(z.array(toolSchema)),
  tool_choice: absent(choiceSchema),
  parallel_tool_calls: absent(z.boolean()),
  max_tool_calls: absent(z.int().min(1)),
  text: absent(z.looseObject({ format: absent(formatSchema), verbosity: absent(z.string()) })),
  reasoning: absent(
    z.looseObject({ effort: absent(z.string()), summary: absent(z.string()), generate_summary: absent(z.string()) }),
  ),
  include: absent(z.array(z.string())),
  max_output_tokens: absent(z.int().min(1, "at least one token has to be asked for")),
  temperature: absent(z.number().min(0).max(2)),
  top_p: absent(z.number().min(0).max(1)),
  presence_penalty: absent(z.number().min(-2).max(2)),
  frequency_penalty: absent(z.number().min(-2).max(2)),
  top_logprobs: absent(z.int().min(0).max(20)),
  top_k: absent(z.int().min(0)),
  seed: absent(z.int()),
  stop: absent(z.union([z.string(), z.array(z.string())])),
  stream: absent(z.boolean()),
  store: absent(z.boolean()),
  background: absent(z.boolean()),
  metadata: absent(metadataSchema),
  truncation: absent(z.enum(["auto", "disabled"])),
  conversation: absent(z.unknown()),
  prompt: absent(z.unknown()),
  service_tier: absent(z.string().max(64)),
  user: absent(z.string()),
  safety_identifier: absent(z.string()),
  prompt_cache_key: absent(z.string()),
  session_id: absent(z.string()),
});

export type ResponseFields = z.output<typeof schema>;

export interface ResponseBody {
  readonly fields: ResponseFields;
  /** New items of this request, without those of the response before it. */
  readonly input: readonly InputItem[];
  readonly book: ToolBook;
  readonly tools: ReadChoice;
  readonly format: AnswerFormat;
  readonly sampling: SamplingOptions;
  readonly wantsLogprobs: boolean;
  readonly wantsSealedThoughts: boolean;
  /** Thoughts go out as a summary, which some clients show while they hide the thoughts themselves. */
  readonly wantsSummary: boolean;
}

export function readResponseBody(body: unknown): ResponseBody {
  const read = schema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const fields = read.data;
  refuseImpossible(fields);
  const input = inputItems(fields);
  const book = new ToolBook([...(fields.tools ?? []), ...addedTools(input)]);
  const include = fields.include ?? [];
  const wantsLogprobs = include.includes("message.output_text.logprobs") || (fields.top_logprobs ?? 0) > 0;
  return {
    fields,
    input,
    book,
    tools: readChoice(fields.tool_choice, book),
    format: answerFormat(fields.text?.format),
    sampling: samplingOptions(fields, wantsLogprobs),
    wantsLogprobs,
    wantsSealedThoughts: include.includes("reasoning.encrypted_content"),
    wantsSummary: (fields.reasoning?.summary ?? fields.reasoning?.generate_summary) !== undefined,
  };
}

/** Variables of the chat template: without effort a template does as it is wont to. */
export function templateOptions({ reasoning }: ResponseFields): Readonly<Record<string, unknown>> {
  const effort = reasoning?.effort;
  if (effort === undefined) return {};
  return effort === "none" ? { enable_thinking: false } : { enable_thinking: true, reasoning_effort: effort };
}

function refuseImpossible(fields: ResponseFields): void {
  if (fields.conversation !== undefined) {
    refuse("conversation", "Conversations are not kept here. Use 'previous_response_id'.");
  }
  if (fields.prompt !== undefined)
    refuse("prompt", "There are no stored prompts here. Send 'instructions' and 'input'.");
  if (fields.truncation === "auto") {
    refuse("truncation", "Prompts are never cut here: one that does not fit is refused with both numbers.");
  }
  if (fields.background && fields.stream) {
    refuse("background", "A background response cannot be streamed. Ask for it by its id.");
  }
  if (fields.background && fields.store === false) {
    refuse("store", "A background response has to be stored, or nobody could ask for it.");
  }
}

function refuse(param: string, message: string): never {
  throw new ApiError("unsupported_parameter", message, { param });
}

function inputItems({ input, previous_response_id }: ResponseFields): InputItem[] {
  if (typeof input === "string") {
    return [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }];
  }
  if (input === undefined && previous_response_id === undefined) {
    throw new ApiError("missing_required_parameter", "Missing required parameter: 'input'.", { param: "input" });
  }
  return input ?? [];
}

/** Codex brings tools that it has found in the middle of a conversation. */
function addedTools(input: readonly InputItem[]): z.output<typeof toolSchema>[] {
  return input.flatMap((item) => {
    const read = item.type === "additional_tools" ? z.array(toolSchema).safeParse(item.tools) : null;
    return read?.success ? read.data : [];
  });
}

function answerFormat(format: z.output<typeof formatSchema> | undefined): AnswerFormat {
  if (format === undefined || format.type === "text") return { kind: "text" };
  if (format.type === "json_object") return { kind: "json_object" };
  const param = "text.format.schema";
  if (format.schema !== undefined) return { kind: "json_schema", schema: format.schema, param };
  throw new ApiError("missing_required_parameter", `Missing required parameter: '${param}'.`, { param });
}

/** OpenAI's defaults, 1 and 1. */
function samplingOptions(fields: ResponseFields, wantsLogprobs: boolean): SamplingOptions {
  return {
    temperature: fields.temperature ?? 1,
    topP: fields.top_p ?? 1,
    ...(fields.top_k === undefined || fields.top_k === 0 ? {} : { topK: fields.top_k }),
    ...(fields.presence_penalty === undefined ? {} : { presencePenalty: fields.presence_penalty }),
    ...(fields.frequency_penalty === undefined ? {} : { frequencyPenalty: fields.frequency_penalty }),
    ...(fields.seed === undefined ? {} : { seed: fields.seed }),
    ...(wantsLogprobs ? { topLogprobs: fields.top_logprobs ?? 0 } : {}),
  };
}
