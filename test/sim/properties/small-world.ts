/** A world drawn from a seed: a small machine, and agents that ask for more than it can do at once. The same seed gives the same. */
import type { PolicyName } from "../../../core/contract/policy-name";
import { policies } from "../../../core/policies/policies";
import { type Random, seededRandom } from "../../../core/sim/random";
import type { EngineOutage, EngineShape, Workload } from "../../../core/sim/simulate";
import { defaultConfig, type SchedulerConfig } from "../../../core/topas/config";
import { callsWorkload } from "./calls-workload";
import { drawActs } from "./draw-acts";
import { type Call, drawCalls, pick } from "./draw-calls";

/** Parking as well, which is off by default. */
const everyTerm: SchedulerConfig["terms"] = { ...defaultConfig.terms, preempt: true };

export const poolKinds = ["slots", "slots with a warm store", "tokens", "tokens with a warm store"] as const;
export type PoolKind = (typeof poolKinds)[number];

export interface SmallWorld {
  readonly seed: number;
  readonly policy: PolicyName;
  readonly engine: EngineShape;
  readonly config: SchedulerConfig;
  readonly outages: readonly EngineOutage[];
  /** A new one for each run: it remembers what was sent. */
  workload(): Workload;
  readonly calls: readonly Call[];
}

export interface WorldOptions {
  readonly pool: PoolKind;
  /** Absent: drawn, TOPAS half of the time. */
  readonly policy?: PolicyName;
  /** Absent: drawn. False: its engine is never lost, no client leaves and no user meddles. */
  readonly faults?: boolean;
  readonly config?: Partial<SchedulerConfig>;
}

export function smallWorld(seed: number, { pool, policy, faults, config }: WorldOptions): SmallWorld {
  const random = seededRandom(seed);
  const drawn = random.next() < 0.5 ? "topas" : pick(random, Object.keys(policies) as PolicyName[]);
  const engine = drawEngine(random, pool);
  const hasFaults = faults ?? random.next() < 0.3;
  const calls = drawCalls(random, engine.slotTokens, hasFaults);
  const lostAtMs = random.between(100, 4000);
  const acts = hasFaults ? drawActs(seededRandom(seed + 1_000_000), calls) : [];
  const outages = hasFaults ? [{ lostAtMs, readyAtMs: lostAtMs + random.between(0, 800) }] : [];
  return {
    seed,
    policy: policy ?? drawn,
    engine,
    config: { ...defaultConfig, terms: everyTerm, ...drawConfig(random), ...config },
    outages,
    workload: () => callsWorkload(calls, acts),
    calls,
  };
}

function drawEngine(random: Random, pool: PoolKind): EngineShape {
  const stepMs = random.between(5, 20);
  const grows = random.between(0, 10);
  const costs = {
    prefillMsPerToken: random.between(1, 5),
    stepMs: Array.from({ length: 4 }, (_, at) => stepMs + grows * at),
    copyMs: random.between(0, 10),
    saveMsPerToken: 0.1,
    restoreMsPerToken: 0.1,
    origin: "given" as const,
  };
  const storeTokens = pool.endsWith("store") ? random.between(60, 500) : 0;
  if (pool.startsWith("slots")) {
    return {
      slots: random.between(1, 4),
      slotTokens: random.between(120, 200),
      budgetTokens: null,
      storeTokens,
      costs,
    };
  }
  const budgetTokens = random.between(150, 500);
  return { slots: 8, slotTokens: budgetTokens, budgetTokens, storeTokens, costs };
}

/** Bounds short enough to be met, and pieces and steps that end in odd places. */
function drawConfig(random: Random): Partial<SchedulerConfig> {
  return {
    pieceTokensMax: pick(random, [16, 50, 128]),
    stepsAheadMax: pick(random, [1, 5, 16]),
    waitBoundMs: pick(random, [500, 2000, 60_000]),
    waitBoundJctShare: pick(random, [0, 0.5, 4]),
    candidatesKept: pick(random, [1, 16]),
  };
}
