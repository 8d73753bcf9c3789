import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { encodeGguf, type GgufValue } from "../../native-models/catalogue/gguf-writer";
import { readModelFile } from "../../native-models/engine/model-file";
import { temporaryFolder } from "../catalogue/temporary-folder";

const tensor = { name: "output.weight", dimensions: [16, 2], values: new Float32Array(32) };
const number = (value: number): GgufValue => ({ kind: "uint32", value });

function modelFile(more: Readonly<Record<string, GgufValue>>, name = "model.gguf", folder = temporaryFolder()): string {
  const metadata: Record<string, GgufValue> = {
    "general.architecture": { kind: "string", value: "llama" },
    "general.file_type": number(3),
    "llama.block_count": number(4),
    "llama.context_length": number(8_192),
    "llama.embedding_length": number(576),
    "llama.attention.head_count": number(9),
    "tokenizer.ggml.tokens": { kind: "strings", value: ["a", "b", "c"] },
    "tokenizer.chat_template": { kind: "string", value: "{{ messages }}" },
    ...more,
  };
  const file = path.join(folder, name);
  writeFileSync(file, encodeGguf(metadata, [tensor]));
  return file;
}

test("a header says what the engine has to know", async () => {
  expect(await readModelFile(modelFile({ "llama.attention.head_count_kv": number(3) }))).toMatchObject({
    ...{ architecture: "llama", quantization: "Q4_1", vocabularySize: 3, trainedContextTokens: 8_192 },
    ...{ chatTemplate: "{{ messages }}", weightBytes: 128, kvBytesPerToken: 4 * 3 * 128 * 2 },
  });
});

test("keys and values are counted for as many heads as there are, where nothing else is said", async () => {
  expect((await readModelFile(modelFile({}))).kvBytesPerToken).toBe(4 * 9 * 128 * 2);
});

test("layers may differ in their heads, and heads be wider than the model's share of them", async () => {
  const file = modelFile({
    "llama.attention.head_count_kv": { kind: "int32s", value: [2, 0, 2, 0] },
    "llama.attention.key_length": number(128),
    "llama.attention.value_length": number(96),
  });
  expect((await readModelFile(file)).kvBytesPerToken).toBe(4 * (128 + 96) * 2);
});

test("a model in parts weighs what all of them weigh", async () => {
  const folder = temporaryFolder();
  const file = modelFile({}, "big-00001-of-00002.gguf", folder);
  modelFile({}, "big-00002-of-00002.gguf", folder);
  expect((await readModelFile(file)).weightBytes).toBe(256);
});
