/** OpenAI's answers by their `object`, with the members that its published schema requires. */
import { chatLogprobs, errorBody, list, object, orNull, text, usage, whole } from "./shared";

const finishReasons = ["stop", "length", "tool_calls", "content_filter", "function_call"];
const call = { name: text, arguments: text };
const tier = { service_tier: orNull(text), system_fingerprint: text };

const chatMessage = object(
  { role: { const: "assistant" }, content: orNull(text), refusal: orNull(text) },
  { tool_calls: list(object({ id: text, type: { const: "function" }, function: object(call) }), { minItems: 1 }) },
);

const chatCompletion = object(
  {
    ...{ id: text, object: { const: "chat.completion" }, created: whole, model: text },
    choices: list(
      object({ index: whole, finish_reason: { enum: finishReasons }, message: chatMessage, logprobs: chatLogprobs }),
      { minItems: 1 },
    ),
  },
  { usage, ...tier },
);

const delta = object(
  {},
  {
    ...{
      role: { enum: ["developer", "system", "user", "assistant", "tool"] },
      content: orNull(text),
      refusal: orNull(text),
    },
    tool_calls: list(object({ index: whole }, { id: text, type: { const: "function" }, function: object({}, call) })),
  },
);

const chatChunk = object(
  {
    ...{ id: text, object: { const: "chat.completion.chunk" }, created: whole, model: text },
    choices: list(
      object({ index: whole, delta, finish_reason: orNull({ enum: finishReasons }) }, { logprobs: chatLogprobs }),
    ),
  },
  { usage: orNull(usage), ...tier },
);

const completionLogprobs = orNull(
  object(
    {},
    {
      ...{ tokens: list(text), token_logprobs: list({ type: "number" }), text_offset: list(whole) },
      top_logprobs: list({ type: "object", additionalProperties: { type: "number" } }),
    },
  ),
);

/** A stream's chunks are the same object, with null for a reason that is not known yet. */
const completion = object(
  {
    ...{ id: text, object: { const: "text_completion" }, created: whole, model: text },
    choices: list(
      object({
        ...{ index: whole, text, logprobs: completionLogprobs },
        finish_reason: orNull({ enum: ["stop", "length", "content_filter"] }),
      }),
    ),
  },
  { usage: orNull(usage), system_fingerprint: text },
);

const embedding = object({
  ...{ index: whole, object: { const: "embedding" } },
  embedding: { anyOf: [list({ type: "number" }, { minItems: 1 }), text] },
});
const model = object({ id: text, object: { const: "model" }, created: whole, owned_by: text });
const embeddings = object({
  ...{ object: { const: "list" }, model: text, data: list(embedding) },
  usage: object({ prompt_tokens: whole, total_tokens: whole }),
});
const models = object({ object: { const: "list" }, data: list(model) });

/** By the last part of the path. */
export const answerSchemas: Readonly<Record<string, object>> = {
  "chat/completions": chatCompletion,
  completions: completion,
  embeddings,
  models,
};

export const chunkSchemas: Readonly<Record<string, object>> = {
  "chat/completions": chatChunk,
  completions: completion,
};

export { errorBody };
