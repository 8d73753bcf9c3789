/** Refuses, before anything is loaded, a choice of slots that this machine cannot hold, with the numbers. */
import { ModelRefused } from "../../core/contract/engine";
import type { ModelFile } from "./model-file";

export interface MemoryDemand {
  readonly slots: number;
  readonly slotTokens: number;
  /** What the system says may still be taken, RAM and video memory together. */
  readonly freeBytes: number;
  readonly trainedContextTokens: number;
}

export function checkMemory(
  file: Pick<ModelFile, "weightBytes" | "kvBytesPerToken">,
  { slots, slotTokens, freeBytes, trainedContextTokens }: MemoryDemand,
): void {
  if (trainedContextTokens > 0 && slotTokens > trainedContextTokens) {
    throw new ModelRefused(
      `A slot of ${count(slotTokens)} tokens was asked for, this model was trained for ${count(trainedContextTokens)}.`,
      `Use --context ${trainedContextTokens} or less.`,
    );
  }
  const kvBytesPerSlot = slotTokens * file.kvBytesPerToken;
  const neededBytes = file.weightBytes + slots * kvBytesPerSlot;
  if (neededBytes <= freeBytes) return;
  const slotsThatFit = Math.floor((freeBytes - file.weightBytes) / Math.max(1, kvBytesPerSlot));
  throw new ModelRefused(
    `${slots} slots of ${count(slotTokens)} tokens need ${megabytes(slots * kvBytesPerSlot)} for the KV cache and the weights ` +
      `${megabytes(file.weightBytes)}: together ${megabytes(neededBytes)}, but only ${megabytes(freeBytes)} are free.`,
    slotsThatFit >= 1
      ? `Use at most ${slotsThatFit} slots (--slots ${slotsThatFit}), a smaller context (--context), or close other programs.`
      : "Use a smaller context (--context) or a smaller model, or close other programs.",
  );
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function megabytes(bytes: number): string {
  return `${count(Math.ceil(bytes / 1e6))} MB`;
}
