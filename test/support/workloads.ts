/** Small worlds for the scheduler's tests: two crews, and a heap of random requests that come, wait and are cancelled. */
import type { CostProfile } from "../../core/contract/engine";
import { type CrewShape, crewWorkload } from "../../core/sim/crew";
import type { Random } from "../../core/sim/random";
import type { EngineShape, Workload } from "../../core/sim/simulate";
import type { OutsideInput, RequestSpec } from "../../core/topas/inputs";
import type { Stage, Workflow } from "../../core/topas/workflow";

/** A slot pool of that size without a warm store. */
export function slotEngine(slots: number, slotTokens: number): EngineShape {
  return { slots, slotTokens, budgetTokens: null, storeTokens: 0, costs: smallCpuCosts };
}

/** Two cores and the starter model, rounded. */
export const smallCpuCosts: CostProfile = {
  prefillMsPerToken: 4.2,
  stepMs: [15, 26, 36, 46, 54, 62, 70, 79],
  copyMs: 10,
  origin: "given",
};

function stage(id: string, agent: string, after: readonly string[] = []): Stage {
  return { id, agent, after, expectedCalls: 1, expectedOutputTokens: null };
}

export const researchWorkflow: Workflow = {
  workflowId: "research",
  name: "Research crew",
  stages: [
    stage("plan", "planner"),
    stage("facts", "scout", ["plan"]),
    stage("causes", "analyst", ["plan"]),
    stage("answer", "writer", ["facts", "causes"]),
  ],
};

export const codeWorkflow: Workflow = {
  workflowId: "code",
  name: "Code crew",
  stages: [stage("design", "architect"), stage("code", "coder", ["design"]), stage("review", "reviewer", ["code"])],
};

export const smallCrews: CrewShape = {
  workflows: [researchWorkflow, codeWorkflow],
  tasksOfEach: 3,
  meanGapMs: 4000,
  prefixTokens: { low: 500, high: 900 },
  tailTokens: { low: 80, high: 300 },
  outputTokens: { low: 32, high: 96 },
  maxTokens: 96,
};

export const smallCrewWorkload = (random: Random): Workload => crewWorkload(smallCrews, random);

export function request(requestId: string, change: Partial<RequestSpec> = {}): RequestSpec {
  return {
    requestId,
    agent: "agent",
    taskId: requestId,
    workflowId: null,
    stageId: null,
    promptTokens: [1, 2, 3, 4, 5, 6, 7, 8],
    prefixTokens: 4,
    maxTokens: 8,
    sampling: { temperature: 0, topP: 1 },
    stop: [],
    ...change,
  };
}

/** Requests of a few agents at random times, some too long for a slot, some cancelled at any moment. */
export function randomRequests(count: number, slotTokens: number, random: Random): Workload {
  const lengths = new Map<string, number>();
  const first: OutsideInput[] = [];
  for (let index = 0; index < count; index += 1) {
    const requestId = `r${index}`;
    const agent = random.between(1, 5);
    const prefixTokens = random.between(0, 60);
    const tail = random.between(1, slotTokens);
    const prefix = Array.from({ length: prefixTokens }, (_, at) => agent * 1000 + at);
    const promptTokens = prefix.concat(Array.from({ length: tail }, () => random.between(1, 3)));
    lengths.set(requestId, random.between(1, 40));
    const taskId = random.next() < 0.5 ? requestId : `task${random.between(1, 4)}`;
    const maxTokens = random.next() < 0.3 ? null : random.between(1, 30);
    const spec = request(requestId, { agent: `agent${agent}`, taskId, promptTokens, prefixTokens, maxTokens });
    const atMs = random.between(0, 5000);
    first.push({ origin: "outside", kind: "request.submitted", atMs, request: spec });
    if (random.next() < 0.3) {
      const cancelledAtMs = atMs + random.between(0, 3000);
      first.push({
        origin: "outside",
        kind: "request.cancelled",
        atMs: cancelledAtMs,
        requestId,
        reason: "client left",
      });
    }
  }
  return { first, lengths, answer: () => [] };
}
