/** Reads the body of a chat completion: `null` is absent, unknown fields are ignored, what is not supported is refused by name. */
import { z } from "zod";
import type { ChatMessage, SamplingOptions } from "../../core/contract/engine";
import { ApiError } from "./api-error";
import { chatMessages, messageSchema } from "./chat-messages";
import { refuseUnsupported, unsupportedFields } from "./chat-unsupported";
import { fieldError } from "./field-error";
import { absent } from "./zod-absent";

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
  ...unsupportedFields,
});

function isNestedAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedAtMost(inner, levels - 1));
}

export interface ChatBody {
  /** As the client wrote it: clients compare it with the answer's. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
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
  refuseUnsupported(fields);
  return {
    model: fields.model,
    messages: chatMessages(fields.messages),
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

/** OpenAI's defaults, 1 and 1, not llama.cpp's 0.8 and 0.95. */
function samplingOptions(fields: z.output<typeof schema>): SamplingOptions {
  return {
    temperature: fields.temperature ?? 1,
    topP: fields.top_p ?? 1,
    ...(fields.top_k !== undefined && fields.top_k > 0 ? { topK: fields.top_k } : {}),
    ...(fields.min_p === undefined ? {} : { minP: fields.min_p }),
    ...(fields.presence_penalty === undefined ? {} : { presencePenalty: fields.presence_penalty }),
    ...(fields.frequency_penalty === undefined ? {} : { frequencyPenalty: fields.frequency_penalty }),
    ...(fields.seed === undefined ? {} : { seed: fields.seed }),
  };
}
