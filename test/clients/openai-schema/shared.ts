/** Parts of OpenAI's published schema that several of its answers have. Members beyond them are allowed there too. */

export const text = { type: "string" };
export const whole = { type: "integer", minimum: 0 };
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

/** Every object needs all of these members. */
export function object(
  properties: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): object {
  return { type: "object", required: Object.keys(properties), properties: { ...properties, ...optional } };
}

export function list(items: object, more: object = {}): object {
  return { type: "array", items, ...more };
}

export const usage = object(
  { prompt_tokens: whole, completion_tokens: whole, total_tokens: whole },
  {
    prompt_tokens_details: object({}, { cached_tokens: whole, audio_tokens: whole }),
    completion_tokens_details: object({}, { reasoning_tokens: whole, audio_tokens: whole }),
  },
);

const chance = {
  token: text,
  logprob: { type: "number" },
  bytes: orNull(list({ type: "integer", minimum: 0, maximum: 255 })),
};
const tokens = orNull(list(object({ ...chance, top_logprobs: list(object(chance)) })));
export const chatLogprobs = orNull(object({ content: tokens, refusal: tokens }));

export const errorBody = object({
  error: object({ message: text, type: text, param: orNull(text), code: orNull(text) }),
});

export { orNull };
