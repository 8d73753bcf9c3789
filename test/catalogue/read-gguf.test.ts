import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { encodeGguf } from "../../native-models/catalogue/gguf-writer";
import { readGguf } from "../../native-models/catalogue/read-gguf";
import { temporaryFolder } from "./temporary-folder";

it("a header gives its values, short arrays of numbers whole, and of all others the length", async () => {
  const file = path.join(temporaryFolder(), "model.gguf");
  const tokens = Array.from({ length: 2_000 }, (_, index) => `token ${index}`);
  const metadata = {
    "general.architecture": { kind: "string", value: "llama" },
    "llama.block_count": { kind: "uint32", value: 3 },
    "llama.attention.head_count_kv": { kind: "int32s", value: [4, 2, 0] },
    "tokenizer.ggml.tokens": { kind: "strings", value: tokens },
    "tokenizer.ggml.token_type": { kind: "int32s", value: tokens.map(() => 1) },
    "tokenizer.ggml.add_bos_token": { kind: "bool", value: true },
  } as const;
  const tensor = { name: "output.weight", dimensions: [16, 2], values: new Float32Array(32) };
  const bytes = encodeGguf(metadata, [tensor]);
  writeFileSync(file, bytes);
  const header = await readGguf(file);
  expect([...header.metadata]).toEqual([
    ["general.architecture", "llama"],
    ["llama.block_count", 3],
    ["llama.attention.head_count_kv", [4, 2, 0]],
    ["tokenizer.ggml.add_bos_token", true],
  ]);
  expect([...header.arrayLengths]).toEqual([
    ["llama.attention.head_count_kv", 3],
    ["tokenizer.ggml.tokens", 2_000],
    ["tokenizer.ggml.token_type", 2_000],
  ]);
  expect(header).toMatchObject({ tensorCount: 1, weightBytes: 128, bytesMin: bytes.length });
});
