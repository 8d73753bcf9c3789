/** Cuts the work of one batch into passes that llama.cpp can take in one decode each; more tokens would end the process. */

import type { SlotIndex } from "../../core/contract/ids";
import type { OpenRequest } from "./open-request";

/** A piece of work that was checked: its tokens stand in the slot's own array. */
export interface AcceptedWork {
  readonly request: OpenRequest;
  readonly slot: SlotIndex;
  readonly position: number;
  readonly tokens: Uint32Array;
  readonly wantsToken: boolean;
  /** Place among the answers. */
  readonly order: number;
  /** Why it was given up, if it was. */
  failure: string | null;
}

export interface Part {
  readonly work: AcceptedWork;
  readonly position: number;
  readonly tokens: Uint32Array;
  readonly wantsLogits: boolean;
}

export function batchPasses(works: readonly AcceptedWork[], tokensMax: number): Part[][] {
  const passes: Part[][] = [];
  let pass: Part[] = [];
  let room = tokensMax;
  for (const work of works) {
    for (let from = 0; from < work.tokens.length; ) {
      if (room === 0) {
        passes.push(pass);
        pass = [];
        room = tokensMax;
      }
      const length = Math.min(room, work.tokens.length - from);
      const isLast = from + length === work.tokens.length;
      pass.push({
        work,
        position: work.position + from,
        tokens: length === work.tokens.length ? work.tokens : work.tokens.subarray(from, from + length),
        wantsLogits: isLast && work.wantsToken,
      });
      from += length;
      room -= length;
    }
  }
  if (pass.length > 0) passes.push(pass);
  return passes;
}
