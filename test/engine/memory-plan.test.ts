import { expect, test } from "vitest";
import { ModelRefused } from "../../core/contract/engine";
import { checkMemory } from "../../native-models/engine/memory-plan";

const weights = { weightBytes: 100e6, kvBytesPerToken: 25_000 };

test("slots that fit are accepted, to the last byte", () => {
  const demand = { slots: 4, slotTokens: 2000, freeBytes: 300e6, trainedContextTokens: 8192 };
  expect(() => checkMemory(weights, demand)).not.toThrow();
  expect(() => checkMemory(weights, { ...demand, freeBytes: 300e6 - 1 })).toThrow(ModelRefused);
});

test("a refusal says how many slots would fit", () => {
  const demand = { slots: 8, slotTokens: 2000, freeBytes: 260e6, trainedContextTokens: 8192 };
  expect(() => checkMemory(weights, demand)).toThrow(
    "8 slots of 2,000 tokens need 400 MB for the KV cache and the weights 100 MB: together 500 MB, but only 260 MB are free.",
  );
  expect(refusalOf(demand).whatToDo).toContain("--slots 3");
});

function refusalOf(demand: Parameters<typeof checkMemory>[1]): ModelRefused {
  try {
    checkMemory(weights, demand);
  } catch (error) {
    if (error instanceof ModelRefused) return error;
  }
  throw new Error("The demand was not refused.");
}
