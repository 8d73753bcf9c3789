/**
 * Measures, in a few seconds at load, which numbers of threads are fastest here and what prefill, decode steps and
 * copies cost. Leaves all slots empty.
 */
import type { Batch, CostProfile } from "../../core/contract/engine";
import type { BatchRunner } from "./batch-runner";
import { Threads } from "./threads";

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

/** After this much time only what is still unknown is measured, once. */
const BUDGET_MS = 2400;
const PIECE_TOKENS_MAX = 64;
const STEPS = 4;
const COPIES = 3;
/** More threads must be faster by this much to be worth taking cores from everything else. */
const GAIN_MIN = 1.05;

export async function calibrate(runner: BatchRunner, options: CalibrationOptions): Promise<Calibration> {
  const bench = new Bench(runner, options);
  bench.open();
  try {
    const prefill = await measurePrefill(bench, options);
    const decode = await measureDecode(bench, options, prefill.threads);
    const threads = new Threads(prefill.threads, decode.threads);
    runner.threads = threads;
    const copyMs = await measureCopy(bench, options, decode.stepMs[0] ?? 0);
    const costs = {
      prefillMsPerToken: prefill.msPerToken,
      stepMs: decode.stepMs,
      copyMs,
      origin: "calibrated",
    } as const;
    return { threads, costs };
  } finally {
    await bench.close();
  }
}

async function measurePrefill(bench: Bench, { threadCandidates, slotTokens, slots }: CalibrationOptions) {
  const tokens = Math.max(1, Math.min(PIECE_TOKENS_MAX, slotTokens - 2));
  let best = { threads: 1, ms: Number.POSITIVE_INFINITY };
  for (const threads of threadCandidates) {
    if (best.ms < Number.POSITIVE_INFINITY && bench.isOverBudget) break;
    bench.setThreads(threads, slots);
    const first = await bench.piece(tokens);
    const ms = bench.isOverBudget ? first : Math.min(first, await bench.piece(tokens));
    if (ms * GAIN_MIN < best.ms) best = { threads, ms };
  }
  return { threads: best.threads, msPerToken: best.ms / tokens };
}

async function measureDecode(bench: Bench, { threadCandidates, slots }: CalibrationOptions, prefillThreads: number) {
  const measured: { sequences: number; threads: number; ms: number }[] = [];
  for (const sequences of sequenceCounts(slots)) {
    let best = { threads: prefillThreads, ms: Number.POSITIVE_INFINITY };
    for (const threads of bench.isOverBudget ? [prefillThreads] : threadCandidates) {
      bench.setThreads(threads, slots);
      const ms = await bench.steps(sequences, bench.isOverBudget ? 1 : STEPS);
      if (ms * GAIN_MIN < best.ms) best = { threads, ms };
    }
    measured.push({ sequences, ...best });
  }
  const threads: number[] = [];
  const stepMs: number[] = [];
  for (let sequences = 1; sequences <= slots; sequences++) {
    const below = measured.findLast((entry) => entry.sequences <= sequences);
    const above = measured.find((entry) => entry.sequences >= sequences);
    if (!below || !above) throw new Error(`No decode step was measured around ${sequences} sequences.`);
    const share = below === above ? 0 : (sequences - below.sequences) / (above.sequences - below.sequences);
    threads.push(below.threads);
    stepMs.push(below.ms + share * (above.ms - below.ms));
  }
  return { threads, stepMs };
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

  /** The second fastest of some decode steps with this many sequences. */
  async steps(sequences: number, steps: number): Promise<number> {
    const times: number[] = [];
    for (let step = 0; step < steps; step++) {
      times.push(await this.#run(Array.from({ length: sequences }, (_, slot) => ({ slot, tokens: 1 }))));
    }
    times.sort((a, b) => a - b);
    return times[Math.min(1, times.length - 1)] ?? 0;
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
    });
    if (failures[0]) throw new Error(`The engine failed while it was measured: ${failures[0].message}`);
    for (const { slot, tokens } of work) this.#held[slot] = (this.#held[slot] ?? 0) + tokens;
    return durationMs;
  }
}

function nameOf(slot: number): string {
  return `calibration-${slot}`;
}
