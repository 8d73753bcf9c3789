/** Times one decision with many waiting requests, 64 or `--waiting N`. Prints JSON; `--json FILE` writes it too. */
import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { policies } from "../../core/policies/policies";
import { seededRandom } from "../../core/sim/random";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { receive } from "../../core/topas/receive";
import type { SchedulerState } from "../../core/topas/state";
import { codeWorkflow, request, researchWorkflow, smallCpuCosts } from "../support/workloads";

const { json: file, ...options } = new Command()
  .option("--json <file>")
  .option("--waiting <n>", "requests that wait", "64")
  .parse()
  .opts<{ json?: string; waiting: string }>();
const waiting = Number(options.waiting);
const agents = 12;
const slots = 8;
const worlds = waiting > 100 ? 2 : 20;
const rounds = 10;

/** 8 running requests, 64 waiting ones of 12 agents, half of them stages of declared workflows. */
function crowdedState(seed: number): SchedulerState {
  const random = seededRandom(seed);
  const state = emptyState("topas");
  const take = (input: Parameters<typeof receive>[1]) =>
    receive(state, input, { ...defaultConfig, waitingMax: waiting });
  take({ origin: "engine", kind: "engine.ready", atMs: 0, slots, slotTokens: 2048, costs: smallCpuCosts });
  for (const workflow of [researchWorkflow, codeWorkflow])
    take({ origin: "outside", kind: "workflow.declared", atMs: 0, workflow });
  for (let index = 0; index < waiting + slots; index += 1) {
    const agent = random.between(1, agents);
    const prefix = Array.from({ length: 700 }, (_, at) => agent * 1000 + at);
    const promptTokens = prefix.concat(Array.from({ length: random.between(80, 300) }, () => random.between(1, 900)));
    const workflow = random.next() < 0.5 ? researchWorkflow : codeWorkflow;
    const stage = workflow.stages[random.between(0, workflow.stages.length - 1)];
    const inWorkflow = random.next() < 0.5 && stage !== undefined;
    const place = inWorkflow ? { taskId: `task${index % 20}`, workflowId: workflow.workflowId, stageId: stage.id } : {};
    const spec = request(`r${index}`, {
      agent: `agent${agent}`,
      promptTokens,
      prefixTokens: 700,
      maxTokens: 96,
      ...place,
    });
    take({ origin: "outside", kind: "request.submitted", atMs: index, request: spec });
  }
  return state;
}

/** Times the choice for one slot as if its request had just ended; then everything is as before. */
function timeChoice(state: SchedulerState, slotIndex: number): number {
  const slot = state.slots[slotIndex];
  const running = slot?.requestId == null ? undefined : state.requests.get(slot.requestId);
  if (slot === undefined || running === undefined) throw new Error(`Slot ${slotIndex} is idle.`);
  state.requests.delete(running.spec.requestId);
  slot.requestId = null;
  const startedAtMs = performance.now();
  policies.topas.choose(state, defaultConfig);
  const tookMs = performance.now() - startedAtMs;
  state.requests.set(running.spec.requestId, running);
  slot.requestId = running.spec.requestId;
  return tookMs;
}

const states = Array.from({ length: worlds }, (_, seed) => crowdedState(seed));
for (const state of states) state.batchInFlight = null; // else no slot counts as free
const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  for (const state of states) for (const { slot } of state.slots) times.push(timeChoice(state, slot));
}
const measured = times.slice(times.length / rounds).sort((a, b) => a - b); // the first ones run before the code is compiled
const at = (share: number) => Number((measured[Math.floor(measured.length * share)] ?? 0).toFixed(3));
const decisionMsMean = Number((measured.reduce((sum, ms) => sum + ms, 0) / measured.length).toFixed(3));
const figures = { waiting, agents, slots, decisionMsMean, decisionMsP50: at(0.5), decisionMsP99: at(0.99) };
if (file !== undefined) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
console.log(JSON.stringify(figures));
