/**
 * Writes a *noise model*: a small llama of random weights, so that everything but the text works where no real model
 * can be had. The same options give the same bytes. It must always be shown as what it is.
 */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { encodeGguf, type GgufTensor, type GgufValue } from "./gguf-writer";
import {
  END_OF_TEXT,
  MESSAGE_END,
  MESSAGE_START,
  type NoiseVocabulary,
  noiseVocabulary,
  SPECIAL_TOKENS,
} from "./noise-vocabulary";

export interface NoiseModelOptions {
  /** `small` (12 MB) decodes several hundred tokens a second on one core; `tiny` (1 MB) is for tests. */
  readonly size: "small" | "tiny";
  readonly seed: number;
  /** How readily an answer ends by itself. 0 = practically never, so that a test gets the tokens it asks for; 3 = within some ten tokens. */
  readonly endOfSequenceWeight: number;
  /** How readily a quote is written, which ends the texts of an answer in JSON; not given = as any other sign. */
  readonly quoteWeight: number;
}

export interface NoiseModel {
  readonly modelPath: string;
  readonly modelId: string;
}

/** Metadata key that marks such a file, whatever it is called. */
export const NOISE_MODEL_KEY = "topas.noise_model";

export const NOISE_MODEL_CONTEXT_TOKENS = 8_192;

const SHAPES = {
  small: { layers: 4, width: 256, heads: 4, headsOfKeys: 2, feedForward: 512 },
  tiny: { layers: 2, width: 64, heads: 2, headsOfKeys: 1, feedForward: 128 },
} as const;

type Shape = (typeof SHAPES)[keyof typeof SHAPES];

const CHAT_TEMPLATE =
  "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

export function noiseModelId(size: NoiseModelOptions["size"]): string {
  return `noise-${size}`;
}

/** The file appears whole or not at all; an existing one is replaced. Errors are those of the file system. */
export async function writeNoiseModel(
  modelPath: string,
  options: Partial<NoiseModelOptions> = {},
): Promise<NoiseModel> {
  const { size = "small", seed = 1, endOfSequenceWeight = 0, quoteWeight } = options;
  const vocabulary = noiseVocabulary();
  const shape = SHAPES[size];
  const bytes = encodeGguf(
    describe(noiseModelId(size), shape, vocabulary),
    drawTensors(shape, vocabulary, seed, (token) => {
      if (token === MESSAGE_END) return endOfSequenceWeight;
      const weight = vocabulary.weights[token] ?? 0;
      return vocabulary.tokens[token] === '"' ? (quoteWeight ?? weight) : weight;
    }),
  );
  await mkdir(path.dirname(modelPath), { recursive: true });
  const partPath = `${modelPath}.${process.pid}.part`;
  try {
    await writeFile(partPath, bytes);
    await rename(partPath, modelPath);
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
  return { modelPath, modelId: noiseModelId(size) };
}

function describe(modelId: string, shape: Shape, vocabulary: NoiseVocabulary): Record<string, GgufValue> {
  const uint32 = (value: number): GgufValue => ({ kind: "uint32", value });
  const string = (value: string): GgufValue => ({ kind: "string", value });
  const CONTROL_TOKEN = 3;
  const NORMAL_TOKEN = 1;
  return {
    "general.architecture": string("llama"),
    "general.name": string(modelId),
    "general.file_type": uint32(0),
    [NOISE_MODEL_KEY]: { kind: "bool", value: true },
    "llama.block_count": uint32(shape.layers),
    "llama.context_length": uint32(NOISE_MODEL_CONTEXT_TOKENS),
    "llama.embedding_length": uint32(shape.width),
    "llama.feed_forward_length": uint32(shape.feedForward),
    "llama.attention.head_count": uint32(shape.heads),
    "llama.attention.head_count_kv": uint32(shape.headsOfKeys),
    "llama.attention.layer_norm_rms_epsilon": { kind: "float32", value: 1e-5 },
    "llama.rope.dimension_count": uint32(shape.width / shape.heads),
    "llama.rope.freq_base": { kind: "float32", value: 10_000 },
    "llama.vocab_size": uint32(vocabulary.tokens.length),
    "tokenizer.ggml.model": string("gpt2"),
    "tokenizer.ggml.pre": string("smollm"),
    "tokenizer.ggml.tokens": { kind: "strings", value: vocabulary.tokens },
    "tokenizer.ggml.token_type": {
      kind: "int32s",
      value: vocabulary.tokens.map((_, token) => (token < SPECIAL_TOKENS.length ? CONTROL_TOKEN : NORMAL_TOKEN)),
    },
    "tokenizer.ggml.merges": { kind: "strings", value: vocabulary.merges },
    "tokenizer.ggml.bos_token_id": uint32(MESSAGE_START),
    "tokenizer.ggml.eos_token_id": uint32(MESSAGE_END),
    "tokenizer.ggml.eot_token_id": uint32(MESSAGE_END),
    "tokenizer.ggml.unknown_token_id": uint32(END_OF_TEXT),
    "tokenizer.ggml.padding_token_id": uint32(MESSAGE_END),
    "tokenizer.ggml.add_bos_token": { kind: "bool", value: false },
    "tokenizer.chat_template": string(CHAT_TEMPLATE),
  };
}

function drawTensors(
  shape: Shape,
  vocabulary: NoiseVocabulary,
  seed: number,
  weightOf: (token: number) => number,
): GgufTensor[] {
  const random = seededRandom(seed);
  const { width, feedForward } = shape;
  const keyWidth = (width / shape.heads) * shape.headsOfKeys;
  const matrix = (name: string, columns: number, rows: number, gain: number): GgufTensor => ({
    name,
    dimensions: [columns, rows],
    values: drawUniform(columns * rows, gain / Math.sqrt(columns), random),
  });
  const norm = (name: string): GgufTensor => ({ name, dimensions: [width], values: new Float32Array(width).fill(1) });

  const tensors = [matrix("token_embd.weight", width, vocabulary.tokens.length, GAIN.embedding)];
  for (let layer = 0; layer < shape.layers; layer++) {
    const of = (part: string) => `blk.${layer}.${part}.weight`;
    tensors.push(
      norm(of("attn_norm")),
      matrix(of("attn_q"), width, width, GAIN.query),
      matrix(of("attn_k"), width, keyWidth, GAIN.query),
      matrix(of("attn_v"), width, keyWidth, GAIN.value),
      matrix(of("attn_output"), width, width, GAIN.value),
      norm(of("ffn_norm")),
      matrix(of("ffn_gate"), width, feedForward, GAIN.feedForward),
      matrix(of("ffn_up"), width, feedForward, GAIN.feedForward),
      matrix(of("ffn_down"), feedForward, width, GAIN.feedForward),
    );
  }
  const output = matrix("output.weight", width, vocabulary.tokens.length, GAIN.output);
  weighRows(output.values, width, weightOf);
  tensors.push(norm("output_norm.weight"), output);
  return tensors;
}

/** Chosen so that the answer depends on the whole prompt and does not fall into a short loop at once. */
const GAIN = { embedding: 1, query: 3, value: 3, feedForward: 1.5, output: 3 } as const;

/** A row weighed 0 has the logit 0, far below the greatest of a thousand random ones: that token is never the likeliest. */
function weighRows(values: Float32Array, width: number, weightOf: (token: number) => number): void {
  for (let token = 0; token * width < values.length; token++) {
    const weight = weightOf(token);
    for (let at = token * width; at < (token + 1) * width; at++) values[at] = (values[at] as number) * weight;
  }
}

/** Values of the given standard deviation. Uniform, because Math.log and Math.cos may differ between machines in the last digit. */
function drawUniform(count: number, deviation: number, random: () => number): Float32Array {
  const halfWidth = deviation * Math.sqrt(3);
  return Float32Array.from({ length: count }, () => (random() * 2 - 1) * halfWidth);
}

/** Mulberry32: 0 <= value < 1, integers only, the same everywhere. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
