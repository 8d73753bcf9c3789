/**
 * Measures, in a few seconds at load, which numbers of threads are fastest here and what prefill, decode steps and
 * copies cost. Leaves all slots empty.
 */
import type { Batch, CostProfile } from "../../core/contract/engine";
import type { BatchRunner } from "./batch-runner";
import { type MeasuredThreads, Threads } from "./threads";

export interface CalibrationOptions {
  readonly slots: number;
  readonly slotTokens: number;
  readonly vocabularySize: number;
  /** Numbers of threads to try, in rising order; one alone is not compared with anything. */
  readonly threadCandidates: readonly number[];
}

export interface Calibration {
  readonly threads: Threads;
  readonly costs: CostProfile;
}

/** After this much time two candidates are enough, and one try for each thing. */
const BUDGET_MS = 2400;
/** A candidate that takes longer for its few rounds is out of the race anyway. */
const CANDIDATE_MS = 300;
const PIECE_MS = 150;
const PIECE_TOKENS_MIN = 8;
const PIECE_TOKENS_MAX = 64;
const ROUNDS = 4;
const COPIES = 3;
/** More threads must be faster by this much to be worth taking cores from everything else. */
const GAIN_MIN = 1.05;
const HOPELESS_FACTOR = 3;

export async function calibrate(runner: BatchRunner, options: CalibrationOptions): Promise<Calibration> {
  const bench = new Bench(runner, options);
  bench.open();
  try {
    const pieceTokens = await fittingPiece(bench, options);
    const measured: MeasuredThreads[] = [];
    for (const threads of options.threadCandidates) {
      if (measured.length > 1 && bench.isOverBudget) break;
      const entry = await measure(bench, threads, { slots: options.slots, pieceTokens, best: measured.at(-1) });
      if (entry === null) break;
      measured.push(entry);
    }
    const prefill = fastest(measured, ({ prefillMsPerToken }) => prefillMsPerToken);
    const decode = Array.from({ length: options.slots }, (_, index) =>
      fastest(measured, ({ stepMs }) => stepMs[index] ?? 0),
    );
    const threads = new Threads(
      prefill.threads,
      decode.map((each) => each.threads),
      measured,
    );
    runner.threads = threads;
    const stepMs = decode.map((each, index) => each.stepMs[index] ?? 0);
    const copyMs = await measureCopy(bench, options, stepMs[0] ?? 0);
    const costs = { prefillMsPerToken: prefill.prefillMsPerToken, stepMs, copyMs, origin: "calibrated" } as const;
    return { threads, costs };
  } finally {
    await bench.close();
  }
}

/** As many tokens as a slow machine with a big model evaluates in a short while; the first piece also warms up. */
async function fittingPiece(
  bench: Bench,
  { slots, slotTokens, threadCandidates }: CalibrationOptions,
): Promise<number> {
  bench.setThreads(threadCandidates[0] ?? 1, slots);
  const fewTokens = Math.min(PIECE_TOKENS_MIN, slotTokens);
  const msPerToken = (await bench.piece(fewTokens)) / fewTokens;
  return Math.min(
    slotTokens,
    Math.max(PIECE_TOKENS_MIN, Math.min(PIECE_TOKENS_MAX, Math.floor(PIECE_MS / msPerToken))),
  );
}

interface MeasureOptions {
  readonly slots: number;
  readonly pieceTokens: number;
  /** Of the candidate before. */
  readonly best: MeasuredThreads | undefined;
}

/** Null when the cores are so busy that this many threads only wait for each other; measuring on would take long. */
async function measure(
  bench: Bench,
  threads: number,
  { slots, pieceTokens, best }: MeasureOptions,
): Promise<MeasuredThreads | null> {
  bench.setThreads(threads, slots);
  const prefillMsPerToken = (await bench.rounds(() => bench.piece(pieceTokens))) / pieceTokens;
  if (best && prefillMsPerToken > HOPELESS_FACTOR * best.prefillMsPerToken) return null;
  const steps: { sequences: number; ms: number }[] = [];
  for (const sequences of sequenceCounts(slots)) {
    steps.push({ sequences, ms: await bench.rounds(() => bench.step(sequences)) });
  }
  const stepMs = Array.from({ length: slots }, (_, index) => between(steps, index + 1));
  // A step with fewer sequences never costs more; where it seems to, something else held it up.
  for (let index = slots - 2; index >= 0; index--) stepMs[index] = Math.min(stepMs[index] ?? 0, stepMs[index + 1] ?? 0);
  return { threads, prefillMsPerToken, stepMs };
}

/** A step with this many sequences, on the line between the nearest two that were measured. */
function between(steps: readonly { readonly sequences: number; readonly ms: number }[], sequences: number): number {
  const below = steps.findLast((step) => step.sequences <= sequences);
  const above = steps.find((step) => step.sequences >= sequences);
  if (!below || !above) throw new Error(`No decode step was measured around ${sequences} sequences.`);
  if (below === above) return below.ms;
  const share = (sequences - below.sequences) / (above.sequences - below.sequences);
  return below.ms + share * (above.ms - below.ms);
}

function fastest(measured: readonly MeasuredThreads[], cost: (entry: MeasuredThreads) => number): MeasuredThreads {
  return measured.reduce((best, entry) => (cost(entry) * GAIN_MIN < cost(best) ? entry : best));
}

async function measureCopy(bench: Bench, { slots }: CalibrationOptions, stepMs: number): Promise<number> {
  if (slots < 2) return 0;
  const extraMs: number[] = [];
  for (let copy = 0; copy < COPIES; copy++) extraMs.push((await bench.copyAndStep()) - stepMs);
  return Math.max(0.1, median(extraMs));
}

/** 1, 2, 4 and so on, and always the last. */
function sequenceCounts(slots: number): number[] {
  const counts: number[] = [];
  for (let count = 1; count < slots; count *= 2) counts.push(count);
  return [...counts, slots];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** Drives the runner with requests of its own, one for each slot. */
class Bench {
  readonly #runner: BatchRunner;
  readonly #options: CalibrationOptions;
  readonly #held: number[];
  readonly #startedAtMs = performance.now();
  #batchId = -1;

  constructor(runner: BatchRunner, options: CalibrationOptions) {
    this.#runner = runner;
    this.#options = options;
    this.#held = Array.from({ length: options.slots }, () => 0);
  }

  get isOverBudget(): boolean {
    return performance.now() - this.#startedAtMs > BUDGET_MS;
  }

  open(): void {
    for (let slot = 0; slot < this.#options.slots; slot++) {
      this.#runner.open({
        requestId: nameOf(slot),
        sampling: { temperature: 1, topP: 1, seed: 1 },
        stop: [],
        generated: [],
      });
    }
  }

  async close(): Promise<void> {
    await this.#run(
      [],
      this.#held.map((_, slot) => ({ kind: "cut", slot, length: 0 }) as const),
    );
    for (let slot = 0; slot < this.#options.slots; slot++) this.#runner.close(nameOf(slot));
  }

  setThreads(threads: number, slots: number): void {
    this.#runner.threads = Threads.fixed(threads, slots);
  }

  /** One piece of a prompt from the beginning of slot 0. */
  async piece(tokens: number): Promise<number> {
    this.#held[0] = 0;
    return this.#run([{ slot: 0, tokens }], [{ kind: "cut", slot: 0, length: 0 }]);
  }

  /** One decode step with this many sequences. */
  async step(sequences: number): Promise<number> {
    return this.#run(Array.from({ length: sequences }, (_, slot) => ({ slot, tokens: 1 })));
  }

  /** The fastest of a few tries: what the machine can do, with as little as may be of what else it does. */
  async rounds(attempt: () => Promise<number>): Promise<number> {
    const endsAtMs = performance.now() + CANDIDATE_MS;
    let best = await attempt();
    for (let round = 1; round < ROUNDS && performance.now() < endsAtMs && !this.isOverBudget; round++) {
      best = Math.min(best, await attempt());
    }
    return best;
  }

  async copyAndStep(): Promise<number> {
    this.#held[1] = this.#held[0] ?? 0;
    return this.#run([{ slot: 0, tokens: 1 }], [{ kind: "copy", from: 0, to: 1 }]);
  }

  async #run(
    work: readonly { readonly slot: number; readonly tokens: number }[],
    operations: Batch["operations"] = [],
  ): Promise<number> {
    const full = work.filter(({ slot, tokens }) => (this.#held[slot] ?? 0) + tokens > this.#options.slotTokens);
    for (const { slot } of full) this.#held[slot] = 0;
    const cuts = full.map(({ slot }) => ({ kind: "cut", slot, length: 0 }) as const);
    const { durationMs, failures } = await this.#runner.run({
      batchId: this.#batchId--,
      operations: [...operations, ...cuts],
      work: work.map(({ slot, tokens }) => ({
        requestId: nameOf(slot),
        slot,
        position: this.#held[slot] ?? 0,
        tokens: Array.from(
          { length: tokens },
          (_, index) => (index * 7919 + slot * 31 + 11) % this.#options.vocabularySize,
        ),
        wantsToken: true,
      })),
      steps: 1,
    });
    if (failures[0]) throw new Error(`The engine failed while it was measured: ${failures[0].message}`);
    for (const { slot, tokens } of work) this.#held[slot] = (this.#held[slot] ?? 0) + tokens;
    return durationMs;
  }
}

function nameOf(slot: number): string {
  return `calibration-${slot}`;
}
