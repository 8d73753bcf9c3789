import { expect, test } from "vitest";
import type { NativeContext } from "../../native-models/engine/native-context";
import { Slots } from "../../native-models/engine/slots";

/** Keeps, for every slot, the tokens that the native side was made to hold, and counts what was evaluated. */
class FakeNative {
  readonly batchTokensMax = 4;
  readonly held: number[][] = [[], [], []];
  evaluated = 0;
  firstPosition = 0;
  beginBatch(): void {}
  async decode(): Promise<void> {}
  add(slot: number, position: number, tokens: Uint32Array): number {
    expect(position).toBe(this.held[slot]?.length);
    this.held[slot]?.push(...tokens);
    this.evaluated += tokens.length;
    return -1;
  }
  async copy(from: number, to: number): Promise<void> {
    this.held[to] = [...(this.held[from] ?? [])];
  }
  cut(slot: number, length: number): boolean {
    this.held[slot] = this.held[slot]?.slice(0, length) ?? [];
    return true;
  }
  clear(slot: number): void {
    this.held[slot] = [];
  }
  minPosition(): number {
    return this.firstPosition;
  }
}

async function filled(rollsBack: boolean): Promise<{ native: FakeNative; slots: Slots }> {
  const native = new FakeNative();
  const slots = new Slots(native as unknown as NativeContext, 3, 16, rollsBack);
  native.add(0, 0, slots.stage(0, [1, 2, 3, 4, 5, 6, 7, 8, 9]));
  slots.hold(0, 9);
  native.evaluated = 0;
  return { native, slots };
}

test("a cut only drops tokens where the model can go back", async () => {
  const { native, slots } = await filled(true);
  await slots.apply({ kind: "cut", slot: 0, length: 6 });
  expect(native.held[0]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(native.evaluated).toBe(0);
});

test("a cut computes the kept tokens again where the model cannot go back, in batches it can take", async () => {
  const { native, slots } = await filled(false);
  await slots.apply({ kind: "copy", from: 0, to: 2 });
  await slots.apply({ kind: "cut", slot: 2, length: 6 });
  expect(native.held[2]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(native.evaluated).toBe(6);
  expect(slots.held(2)).toBe(6);
});

test("a cut computes the kept tokens again where a sliding window has passed them", async () => {
  const { native, slots } = await filled(true);
  native.firstPosition = 3;
  await slots.apply({ kind: "cut", slot: 0, length: 6 });
  expect(native.evaluated).toBe(6);
});

test("operations that do not fit what the slots hold are found before anything is changed", async () => {
  const { native, slots } = await filled(true);
  expect(() => slots.check([{ kind: "cut", slot: 0, length: 10 }])).toThrow("holds 9 tokens and cannot be cut to 10");
  expect(() => slots.check([{ kind: "copy", from: 0, to: 3 }])).toThrow("There is no slot 3");
  const copyThenCut = [{ kind: "copy", from: 0, to: 1 } as const, { kind: "cut", slot: 1, length: 9 } as const];
  expect(() => slots.check(copyThenCut)).not.toThrow();
  expect(native.held[1]).toEqual([]);
});
