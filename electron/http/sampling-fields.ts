/** How tokens are drawn, as OpenAI's chat completions and completions say it, with llama.cpp's further names. */
import { z } from "zod";
import type { SamplingOptions } from "../../core/contract/engine";
import { absent } from "./zod-absent";

const penalty = absent(z.number().min(-2).max(2));

export const maxTokensField = absent(
  z.int().min(1, "at least one token has to be asked for; leave it out to use all the room there is"),
);

export const samplingFields = {
  stream: absent(z.boolean()),
  stream_options: absent(z.object({ include_usage: absent(z.boolean()) })),
  max_tokens: maxTokensField,
  temperature: absent(z.number().min(0).max(2)),
  top_p: absent(z.number().min(0).max(1)),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  seed: absent(z.int()),
  stop: absent(z.union([z.string(), z.array(z.string()).max(4, "at most 4 stop texts are possible")])),
  n: absent(z.int().min(1, "at least one choice is made").max(128, "at most 128 choices are possible")),
  logit_bias: absent(z.record(z.string().regex(/^\d+$/, "tokens are whole numbers"), z.number().min(-100).max(100))),
  top_k: absent(z.int()),
  min_p: absent(z.number().min(0).max(1)),
  repeat_penalty: absent(z.number().gt(0).max(10)),
  typical_p: absent(z.number().min(0).max(1)),
  grammar: absent(z.string().max(1024 * 1024)),
  ignore_eos: absent(z.boolean()),
  user: absent(z.string()),
  session_id: absent(z.string()),
};

const fieldsSchema = z.object(samplingFields);
type Fields = z.output<typeof fieldsSchema>;

/** OpenAI's defaults, 1 and 1, not llama.cpp's 0.8 and 0.95. */
export function samplingOptions(fields: Fields, topLogprobs: number | undefined): SamplingOptions {
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
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
    ...(biases.length > 0 ? { logitBias: biases } : {}),
  };
}

export function stopTexts({ stop }: Pick<Fields, "stop">): string[] {
  return [stop ?? []].flat().filter((text) => text !== "");
}
