/**
 * What every slot holds, and the changes of it: copy, cut, and recomputing where a model's memory cannot go back.
 * Must never let the native side and these arrays differ.
 */
import type { SequenceOperation } from "../../core/contract/engine";
import type { SlotIndex } from "../../core/contract/ids";
import type { NativeContext } from "./native-context";

export class Slots {
  readonly #native: NativeContext;
  readonly #tokens: readonly Uint32Array[];
  readonly #held: number[];

  constructor(
    native: NativeContext,
    readonly count: number,
    readonly slotTokens: number,
    /** False for recurrent and hybrid models: their state has no earlier point to go back to. */
    readonly rollsBack: boolean,
  ) {
    this.#native = native;
    this.#tokens = Array.from({ length: count }, () => new Uint32Array(slotTokens));
    this.#held = Array.from({ length: count }, () => 0);
  }

  has(slot: SlotIndex): boolean {
    return Number.isInteger(slot) && slot >= 0 && slot < this.count;
  }

  held(slot: SlotIndex): number {
    return this.#held[slot] ?? 0;
  }

  /** Writes tokens behind the held ones without holding them yet, and gives them as the native side takes them. */
  stage(slot: SlotIndex, tokens: readonly number[]): Uint32Array {
    const from = this.held(slot);
    this.#tokensOf(slot).set(tokens, from);
    return this.#tokensOf(slot).subarray(from, from + tokens.length);
  }

  /** The staged tokens up to here were evaluated. */
  hold(slot: SlotIndex, length: number): void {
    this.#held[slot] = length;
  }

  /** Throws before anything is changed if the operations do not fit what the slots hold. */
  check(operations: readonly SequenceOperation[]): void {
    if (operations.length === 0) return;
    const held = [...this.#held];
    for (const operation of operations) {
      switch (operation.kind) {
        case "copy":
          this.#checkSlot(operation.from);
          this.#checkSlot(operation.to);
          held[operation.to] = held[operation.from] ?? 0;
          break;
        case "cut": {
          this.#checkSlot(operation.slot);
          const before = held[operation.slot] ?? 0;
          if (!Number.isInteger(operation.length) || operation.length < 0 || operation.length > before) {
            throw new RangeError(
              `Slot ${operation.slot} holds ${before} tokens and cannot be cut to ${operation.length}.`,
            );
          }
          held[operation.slot] = operation.length;
          break;
        }
        case "save":
        case "restore":
          throw new RangeError("This engine has no warm store to save to or restore from.");
        default:
          operation satisfies never;
      }
    }
  }

  async apply(operation: SequenceOperation): Promise<void> {
    if (operation.kind === "copy") await this.#copy(operation.from, operation.to);
    else if (operation.kind === "cut") await this.cut(operation.slot, operation.length);
  }

  async cut(slot: SlotIndex, length: number): Promise<void> {
    if (length === 0) this.#native.clear(slot);
    else if (!this.#cutBack(slot, length)) await this.#recompute(slot, length);
    this.#held[slot] = length;
  }

  async #copy(from: SlotIndex, to: SlotIndex): Promise<void> {
    if (from === to) return;
    const length = this.held(from);
    if (length === 0) this.#native.clear(to);
    else await this.#native.copy(from, to);
    this.#tokensOf(to).set(this.#tokensOf(from).subarray(0, length));
    this.#held[to] = length;
  }

  /** A slot whose first positions are gone (a sliding window has passed them) would go on computing with a hole. */
  #cutBack(slot: SlotIndex, length: number): boolean {
    if (!this.rollsBack || this.#native.minPosition(slot) > 0) return false;
    return this.#native.cut(slot, length);
  }

  async #recompute(slot: SlotIndex, length: number): Promise<void> {
    this.#native.clear(slot);
    const step = this.#native.batchTokensMax;
    for (let from = 0; from < length; from += step) {
      const tokens = this.#tokensOf(slot).subarray(from, Math.min(length, from + step));
      this.#native.beginBatch(tokens.length);
      this.#native.add(slot, from, tokens, false);
      await this.#native.decode();
    }
  }

  #tokensOf(slot: SlotIndex): Uint32Array {
    const tokens = this.#tokens[slot];
    if (!tokens) throw new RangeError(`There is no slot ${slot}: the engine has ${this.count}.`);
    return tokens;
  }

  #checkSlot(slot: SlotIndex): void {
    if (!this.has(slot)) throw new RangeError(`There is no slot ${slot}: the engine has ${this.count}.`);
  }
}
