/** What each slot of the scripted engine holds, token by token. Must never forgive: an operation or a position that does not fit throws. */
import type { BatchWork, SequenceOperation } from "../../core/contract/engine";
import type { SlotIndex, Token } from "../../core/contract/ids";

export class ScriptedSlots {
  readonly contents: Token[][];

  constructor(
    slots: number,
    private readonly slotTokens: number,
  ) {
    this.contents = Array.from({ length: slots }, () => []);
  }

  apply(operation: SequenceOperation): void {
    switch (operation.kind) {
      case "copy":
        if (operation.from !== operation.to) this.#replace(operation.to, [...this.held(operation.from)]);
        break;
      case "cut": {
        const held = this.held(operation.slot);
        if (operation.length < 0 || operation.length > held.length) {
          throw new Error(
            `Broken invariant: slot ${operation.slot} holds ${held.length} tokens, cut to ${operation.length}.`,
          );
        }
        held.length = operation.length;
        break;
      }
      case "save":
      case "restore":
        throw new Error("Broken invariant: this engine has no warm store.");
      default:
        operation satisfies never;
    }
  }

  check({ requestId, slot, position, tokens }: BatchWork): void {
    const held = this.held(slot).length;
    if (tokens.length === 0) throw new Error(`Broken invariant: ${requestId} was given no token to evaluate.`);
    if (position !== held) {
      throw new Error(`Broken invariant: work begins at position ${position}, but slot ${slot} holds ${held} tokens.`);
    }
    if (held + tokens.length > this.slotTokens) {
      throw new Error(`Broken invariant: ${held + tokens.length} tokens in a slot for ${this.slotTokens}.`);
    }
  }

  held(slot: SlotIndex): Token[] {
    const held = this.contents[slot];
    if (!held) throw new Error(`Broken invariant: there is no slot ${slot}.`);
    return held;
  }

  #replace(slot: SlotIndex, tokens: Token[]): void {
    this.held(slot);
    this.contents[slot] = tokens;
  }
}
