import { expect, test } from "vitest";
import { Threads } from "../../native-models/engine/threads";

const measured = [
  { threads: 1, prefillMsPerToken: 2, stepMs: [10, 20] },
  { threads: 2, prefillMsPerToken: 1.2, stepMs: [12, 16] },
];
const threads = () => new Threads(2, [1, 2], measured);

test("pieces of prompts and decode steps get the threads that were fastest for them", () => {
  expect(threads().forBatch(128, 1, 0)).toBe(2);
  expect(threads().forBatch(1, 1, 0)).toBe(1);
  expect(threads().forBatch(2, 2, 0)).toBe(2);
});

test("a batch that was crowded out is followed by batches on fewer threads, for a while", () => {
  const plan = threads();
  plan.observe(2, 100, 1, 2000, 10_000);
  expect(plan.forBatch(100, 1, 10_001)).toBe(1);
  expect(plan.forBatch(2, 2, 11_999)).toBe(1);
  expect(plan.forBatch(100, 1, 12_000)).toBe(2);
});

test("the while is longer each time it happens again at once, and short again after a quiet time", () => {
  const plan = threads();
  plan.observe(2, 2, 2, 500, 0);
  plan.observe(2, 2, 2, 500, 2000);
  expect(plan.forBatch(2, 2, 5999)).toBe(1);
  expect(plan.forBatch(2, 2, 6000)).toBe(2);
  plan.observe(2, 2, 2, 16, 20_000);
  plan.observe(2, 2, 2, 500, 21_000);
  expect(plan.forBatch(2, 2, 22_999)).toBe(1);
  expect(plan.forBatch(2, 2, 23_000)).toBe(2);
});

test("a batch a little slower than measured, or one on the fewest threads, changes nothing", () => {
  const plan = threads();
  plan.observe(2, 100, 1, 200, 0);
  plan.observe(1, 1, 1, 900, 0);
  expect(plan.forBatch(100, 1, 1)).toBe(2);
});
