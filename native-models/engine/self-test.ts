/**
 * Proves on the loaded model that the native calls still mean what this app takes them for: going on after a cut or a
 * copy gives the same token as going on without. Leaves all slots empty.
 */
import type { SlotIndex, Token } from "../../core/contract/ids";
import type { NativeContext } from "./native-context";
import type { Slots } from "./slots";

const PROMPT_TOKENS = 16;
const TAIL_TOKENS = 4;

export async function selfTest(native: NativeContext, slots: Slots, vocabularySize: number): Promise<void> {
  const token = (index: number): Token => (index * 7919 + 13) % vocabularySize;
  const prompt = Array.from({ length: PROMPT_TOKENS }, (_, index) => token(index));
  const tail = Array.from({ length: TAIL_TOKENS }, (_, index) => token(index + PROMPT_TOKENS));
  try {
    await evaluate(native, slots, 0, prompt);
    const fresh = await evaluate(native, slots, 0, tail);
    await slots.cut(0, PROMPT_TOKENS);
    expectSame("cut", fresh, await evaluate(native, slots, 0, tail));
    if (slots.count > 1) {
      await slots.apply({ kind: "copy", from: 0, to: 1 });
      await slots.cut(1, PROMPT_TOKENS);
      expectSame("copy", fresh, await evaluate(native, slots, 1, tail));
    }
  } finally {
    for (let slot = 0; slot < Math.min(2, slots.count); slot++) await slots.cut(slot, 0);
  }
}

async function evaluate(
  native: NativeContext,
  slots: Slots,
  slot: SlotIndex,
  tokens: readonly Token[],
): Promise<Token> {
  const position = slots.held(slot);
  native.beginBatch(tokens.length);
  const logitIndex = native.add(slot, position, slots.stage(slot, tokens), true);
  await native.decode();
  slots.hold(slot, position + tokens.length);
  const sampler = native.createSampler({ temperature: 0 });
  try {
    return await native.sample(logitIndex, sampler);
  } finally {
    sampler.dispose();
  }
}

function expectSame(what: string, fresh: Token, again: Token): void {
  if (fresh >= 0 && fresh === again) return;
  throw new Error(
    `The engine failed its self-test: after a ${what} the model went on with token ${again} instead of ${fresh}. ` +
      'Run "npm install" again; if it stays, this model or graphics driver cannot be used: try --gpu cpu.',
  );
}
