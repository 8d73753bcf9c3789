/**
 * Reads the body of Anthropic's Messages API: `null` is absent and unknown fields are ignored, as its clients send many that
 * steer another company's servers. What it asks for in vain (a picture, a prefilled answer) is refused by name.
 */
import { z } from "zod";
import type { SamplingOptions } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import type { AnswerFormat, ChatPrompt } from "../generation/generation-request";
import { absent } from "../zod-absent";
import { messageSchema, messagesOf, systemSchema } from "./message-blocks";
import { thinkingOptions, thinkingSchema } from "./thinking";
import { choiceSchema, readTools, toolSchema } from "./tools";

/** Anthropic's own limit is far higher; rendering more than this would hold up the engine. */
const messagesMax = 4096;

const promptFields = {
  model: z.string().min(1, "name the model, or say 'default' for the loaded one"),
  messages: z
    .array(messageSchema)
    .min(1, "at least one message is needed")
    .max(messagesMax, `at most ${messagesMax} messages are possible`),
  system: absent(systemSchema),
  tools: absent(z.array(toolSchema)),
  tool_choice: absent(choiceSchema),
  thinking: absent(thinkingSchema),
  output_config: absent(
    z.object({
      effort: absent(z.string()),
      format: absent(z.looseObject({ type: z.string(), schema: absent(z.record(z.string(), z.unknown())) })),
    }),
  ),
  metadata: absent(z.record(z.string(), z.unknown())),
};

const promptSchema = z.object(promptFields);

const schema = z.object({
  ...promptFields,
  max_tokens: z.int().min(1, "at least one token has to be asked for"),
  stop_sequences: absent(z.array(z.string())),
  stream: absent(z.boolean()),
  temperature: absent(z.number().min(0).max(2)),
  top_p: absent(z.number().min(0).max(1)),
  top_k: absent(z.int().min(0)),
});

/** What `count_tokens` needs as well. */
export interface MessagePrompt {
  /** As the client wrote it: clients compare it with the answer's. */
  readonly model: string;
  readonly prompt: ChatPrompt;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Tools that only Anthropic's own servers can run; the model is not told of them. */
  readonly droppedTools: readonly string[];
}

export interface MessageBody extends MessagePrompt {
  readonly stream: boolean;
  readonly maxTokens: number;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
}

export function readMessagePrompt(body: unknown): MessagePrompt {
  return messagePrompt(parsed(promptSchema, body));
}

export function readMessageBody(body: unknown): MessageBody {
  const fields = parsed(schema, body);
  const budget = fields.thinking?.budget_tokens;
  if (budget !== undefined && budget >= fields.max_tokens) {
    const message = "'thinking.budget_tokens' must be less than 'max_tokens', for the answer needs room as well.";
    throw new ApiError("invalid_value", message, { param: "thinking.budget_tokens" });
  }
  return {
    ...messagePrompt(fields),
    stream: fields.stream ?? false,
    maxTokens: fields.max_tokens,
    sampling: {
      temperature: fields.temperature ?? 1,
      topP: fields.top_p ?? 1,
      ...(fields.top_k === undefined || fields.top_k === 0 ? {} : { topK: fields.top_k }),
    },
    stop: (fields.stop_sequences ?? []).filter((text) => text !== ""),
  };
}

function parsed<Schema extends z.ZodType>(wanted: Schema, body: unknown): z.output<Schema> {
  const read = wanted.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  return read.data;
}

function messagePrompt(fields: z.output<typeof promptSchema>): MessagePrompt {
  const { tools, dropped, choice, parallel } = readTools(fields.tools ?? [], fields.tool_choice);
  return {
    model: fields.model,
    metadata: fields.metadata ?? {},
    droppedTools: dropped,
    prompt: {
      kind: "chat",
      messages: messagesOf(fields.system, fields.messages),
      tools,
      toolChoice: choice,
      parallelToolCalls: parallel,
      format: answerFormat(fields.output_config?.format),
      templateOptions: thinkingOptions(fields.thinking, fields.output_config?.effort),
    },
  };
}

function answerFormat(
  format: { readonly type: string; readonly schema: Record<string, unknown> | undefined } | undefined,
): AnswerFormat {
  if (format === undefined) return { kind: "text" };
  const param = "output_config.format";
  if (format.type !== "json_schema") {
    throw new ApiError("invalid_value", `Only the format 'json_schema' is possible, not '${format.type}'.`, { param });
  }
  if (format.schema === undefined) {
    const message = `Missing required parameter: '${param}.schema'.`;
    throw new ApiError("missing_required_parameter", message, { param: `${param}.schema` });
  }
  return { kind: "json_schema", schema: format.schema, param: `${param}.schema` };
}
