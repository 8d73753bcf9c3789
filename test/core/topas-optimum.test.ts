/** The search against trying everything: every prefix set with every choice of ready requests, in small seeded worlds. */
import { describe, expect, it } from "vitest";
import type { CostProfile } from "../../core/contract/engine";
import { type Plan, packPlan } from "../../core/policies/topas/plan";
import { searchPlans } from "../../core/policies/topas/search";
import { type Ready, type World, worldNow } from "../../core/policies/topas/world";
import { type Random, seededRandom } from "../../core/sim/random";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import type { Input } from "../../core/topas/inputs";
import { receive } from "../../core/topas/receive";
import type { SchedulerState } from "../../core/topas/state";
import { codeWorkflow, request, researchWorkflow, smallCpuCosts } from "../support/workloads";

const cases = 1_000;
const config: SchedulerConfig = { ...defaultConfig, holdCostS: 0 };
const largeGpuCosts: CostProfile = {
  prefillMsPerToken: 0.4,
  stepMs: Array.from({ length: 16 }, (_, index) => 38 + 0.4 * index),
  copyMs: 1,
  origin: "given",
};

describe.each(["slots", "tokens"] as const)("in a pool of %s", (pool) => {
  it(`reaches 98 % of the best score there is, over ${cases} worlds`, () => {
    const shares: number[] = [];
    for (let seed = 1; seed <= cases; seed += 1) {
      const world = worldNow(smallState(pool, seededRandom(seed)), config);
      const optimum = tryEverything(world);
      if (optimum === null || optimum.score <= 1e-9) continue;
      shares.push(searchPlans(world).best.score / optimum.score);
    }
    expect(shares.length).toBeGreaterThan(cases / 4);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1 + 1e-9);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(mean).toBeGreaterThanOrEqual(0.98);
    const missed = shares.filter((share) => share < 0.98).length;
    expect(missed / shares.length).toBeLessThanOrEqual(0.03);
  });
});

/** Up to 4 slots, 6 ready requests, 5 agents; some requests run, some prefixes are left warm by ones that ended. */
function smallState(pool: "slots" | "tokens", random: Random): SchedulerState {
  const state = emptyState("fcfs");
  const slots = random.between(1, 4);
  const costs = random.next() < 0.5 ? smallCpuCosts : largeGpuCosts;
  const budgetTokens = random.between(1_500, 4_000);
  const shape = pool === "slots" ? { slots, slotTokens: 2_048 } : { slots: 16, slotTokens: budgetTokens, budgetTokens };
  const take = (input: Input) => receive(state, input, config);
  take({ origin: "engine", kind: "engine.ready", atMs: 0, ...shape, costs });
  for (const workflow of [researchWorkflow, codeWorkflow])
    take({ origin: "outside", kind: "workflow.declared", atMs: 0, workflow });
  const agents = Array.from({ length: random.between(2, 5) }, (_, index) => ({
    index,
    prefixTokens: random.between(100, 900),
  }));
  const before = random.between(1, 8);
  for (let index = 0; index < before; index += 1) submit(state, take, agents, random, `before${index}`);
  for (const id of [...state.requests.keys()]) {
    if (random.next() < 0.6) take({ origin: "outside", kind: "request.cancelled", atMs: 1, requestId: id, reason: "" });
  }
  state.batchInFlight = null; // as between two batches: else the slots of those that left are not free yet
  state.engine.phase = "down"; // so that nobody is admitted from here on
  const ready = random.between(1, 6);
  for (const id of [...state.requests.keys()]) {
    if (state.requests.get(id)?.slot === null) state.requests.delete(id);
  }
  for (let index = 0; index < ready; index += 1) submit(state, take, agents, random, `ready${index}`);
  state.nowMs = random.between(10, 30_000);
  return state;
}

function submit(
  state: SchedulerState,
  take: (input: Input) => unknown,
  agents: readonly { index: number; prefixTokens: number }[],
  random: Random,
  requestId: string,
): void {
  const agent = agents[random.between(0, agents.length - 1)] ?? { index: 0, prefixTokens: 100 };
  const workflow = random.next() < 0.5 ? researchWorkflow : codeWorkflow;
  const stage = workflow.stages[random.between(0, workflow.stages.length - 1)];
  const place =
    random.next() < 0.6 && stage !== undefined
      ? { taskId: `task${random.between(1, 3)}`, workflowId: workflow.workflowId, stageId: stage.id }
      : {};
  const kind = (agent.index + 1) * 10_000;
  const prefix = Array.from({ length: agent.prefixTokens }, (_, at) => kind + at);
  const tail = Array.from({ length: random.between(10, 300) }, () => random.between(1, 9_000));
  const spec = { agent: `agent${agent.index}`, promptTokens: [...prefix, ...tail], prefixTokens: agent.prefixTokens };
  const maxTokens = random.between(8, 200);
  take({
    origin: "outside",
    kind: "request.submitted",
    atMs: state.nowMs,
    request: request(requestId, { ...spec, maxTokens, ...place }),
  });
}

function tryEverything(world: World): Plan | null {
  const open = world.agents.filter(({ running }) => running === 0);
  let best: Plan | null = null;
  for (let bits = 0; bits < 1 << open.length; bits += 1) {
    const set = world.agents.map(
      ({ running, index }) =>
        running > 0 ||
        isIn(
          bits,
          open.findIndex((one) => one.index === index),
        ),
    );
    for (let chosen = 1; chosen < 1 << world.ready.length; chosen += 1) {
      const only = new Set<Ready>(world.ready.filter((_, at) => isIn(chosen, at)));
      const plan = packPlan(world, set, only);
      if (plan.admits.length === only.size && (best === null || plan.score > best.score)) best = plan;
    }
  }
  return best;
}

function isIn(bits: number, at: number): boolean {
  return at >= 0 && (bits & (1 << at)) !== 0;
}
