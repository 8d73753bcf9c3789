/** How many leading tokens two sequences share. */
import type { Token } from "../contract/ids";

/**
 * How far a prompt and what a slot holds agree, remembered per pair. A slot's array only ever grows or is replaced,
 * so a comparison that met a difference is final and one that ran out of tokens goes on where it stopped.
 */
const agreed = new WeakMap<readonly Token[], WeakMap<readonly Token[], number>>();

export function commonPrefixTokens(prompt: readonly Token[], held: readonly Token[]): number {
  const ofHeld = agreed.get(held) ?? new WeakMap<readonly Token[], number>();
  agreed.set(held, ofHeld);
  const known = ofHeld.get(prompt) ?? -1;
  let length = Math.max(0, known);
  const end = Math.min(prompt.length, held.length);
  while (length < end && prompt[length] === held[length]) length += 1;
  if (length > known) ofHeld.set(prompt, length);
  return length;
}
