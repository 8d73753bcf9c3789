/** Translates the API's sampling options into those of llama.cpp's sampler chain; draws nothing itself. */
import type { EngineRequest, SamplingOptions } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";
import type { SamplerConfig } from "./native-context";

/** What llama.cpp has, but the sampler of its binding does not. */
export const UNSUPPORTED_SAMPLING: readonly (keyof SamplingOptions)[] = ["typicalP"];

const SEED_MODULUS = 2 ** 32;
/**
 * A token a million times less likely than the best is not worth its share of the exponential over the whole
 * vocabulary, which would cost more than everything else in sampling. Above temperature 1 such tokens do count.
 */
const NEGLIGIBLE = 1e-6;

interface ModelFacts {
  readonly slotTokens: number;
  /** Tokens that end an answer. */
  readonly endTokens: () => readonly Token[];
}

export function samplerConfig({ sampling, generated }: EngineRequest, model: ModelFacts): SamplerConfig {
  return {
    temperature: Math.max(0, sampling.temperature),
    ...(sampling.topP < 1 && { topP: sampling.topP }),
    ...(sampling.topK !== undefined && sampling.topK > 0 && { topK: sampling.topK }),
    ...minP(sampling),
    seed: seedAt(sampling, generated.length),
    ...penalties(sampling, generated, model.slotTokens),
    ...biases(sampling, model),
  };
}

/** At -100 a token is never drawn, whatever its logit: for that a hundred less is nearly always enough, but not always. */
function biases({ logitBias = [], ignoreEndOfSequence }: SamplingOptions, model: ModelFacts): Partial<SamplerConfig> {
  const values = new Map(logitBias.map(({ token, bias }) => [token, bias <= -100 ? Number.NEGATIVE_INFINITY : bias]));
  if (ignoreEndOfSequence) for (const token of model.endTokens()) values.set(token, Number.NEGATIVE_INFINITY);
  if (values.size === 0) return {};
  return { tokenBiasKeys: Uint32Array.from(values.keys()), tokenBiasValues: Float32Array.from(values.values()) };
}

function minP({ minP: wanted = 0, temperature }: SamplingOptions): Partial<SamplerConfig> {
  const lowest = temperature > 0 && temperature <= 1 ? Math.max(wanted, NEGLIGIBLE) : wanted;
  return lowest > 0 ? { minP: lowest } : {};
}

/**
 * The random numbers of a sampler cannot be wound forward, so a continued answer gets a seed of its own that depends on
 * where it goes on: the same each time, but not the draws of its first tokens once more.
 */
function seedAt({ seed }: SamplingOptions, generatedTokens: number): number {
  const base = seed ?? Math.floor(Math.random() * SEED_MODULUS);
  const mixed = (base + generatedTokens * 2654435761) % SEED_MODULUS;
  return (mixed + SEED_MODULUS) % SEED_MODULUS;
}

/** OpenAI's penalties count the answer's own tokens, all of them; the sampler notes every token that it draws itself. */
function penalties(
  sampling: SamplingOptions,
  generated: readonly number[],
  slotTokens: number,
): Partial<SamplerConfig> {
  const { presencePenalty = 0, frequencyPenalty = 0, repeatPenalty = 1 } = sampling;
  if (presencePenalty === 0 && frequencyPenalty === 0 && repeatPenalty === 1) return {};
  return {
    repeatPenalty,
    repeatPenaltyMaxTokens: slotTokens,
    repeatPenaltyTokens: Uint32Array.from(generated),
    repeatPenaltyPresencePenalty: presencePenalty,
    repeatPenaltyFrequencyPenalty: frequencyPenalty,
  };
}
