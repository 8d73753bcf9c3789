/** How long requests of a kind take: learned as running means from the stage, else the agent, else everyone, else a prior. */
import type { AgentId, Seconds, StageId, WorkflowId } from "../contract/ids";
import { namesMax, setBounded } from "./bounded";
import type { SchedulerConfig } from "./config";
import { prefillSeconds, stepSeconds } from "./cost";
import type { RequestState, SchedulerState, ServiceRecord } from "./state";
import type { Stage } from "./workflow";

const stageKey = (workflowId: WorkflowId, stageId: StageId) => `stage:${workflowId}/${stageId}`;
const agentKey = (agent: AgentId) => `agent:${agent}`;

export function learnService(state: SchedulerState, request: RequestState): void {
  const { spec } = request;
  const keys = ["all", agentKey(spec.agent)];
  if (spec.workflowId !== null && spec.stageId !== null) keys.push(stageKey(spec.workflowId, spec.stageId));
  for (const key of keys) {
    const record: ServiceRecord = state.services.get(key) ?? { count: 0, meanOutputTokens: 0, meanTailTokens: 0 };
    record.count += 1;
    record.meanOutputTokens += (request.generated.length - record.meanOutputTokens) / record.count;
    record.meanTailTokens += (spec.promptTokens.length - spec.prefixTokens - record.meanTailTokens) / record.count;
    setBounded(state.services, key, record, namesMax);
  }
}

function knownService(
  state: SchedulerState,
  workflowId: WorkflowId | null,
  stageId: StageId | null,
  agent: AgentId | null,
) {
  const ofStage =
    workflowId !== null && stageId !== null ? state.services.get(stageKey(workflowId, stageId)) : undefined;
  return ofStage ?? (agent !== null ? state.services.get(agentKey(agent)) : undefined);
}

/** Most tokens a request may still be given: its own limit and the room in a slot. */
export function outputLimit(state: SchedulerState, request: RequestState): number {
  const room = Math.max(1, state.engine.slotTokens - request.spec.promptTokens.length);
  return Math.min(request.spec.maxTokens ?? room, room);
}

/** Tokens a request is expected to generate from now on, at least one. */
export function expectedOutput(state: SchedulerState, request: RequestState, config: SchedulerConfig): number {
  const { workflowId, stageId, agent } = request.spec;
  const known = knownService(state, workflowId, stageId, agent) ?? state.services.get("all");
  const mean = known?.meanOutputTokens ?? config.priorOutputTokens;
  return Math.max(1, Math.min(outputLimit(state, request), mean) - request.generated.length);
}

/** Seconds a request needs alone in the engine once its agent's prefix is there. */
export function requestSeconds(state: SchedulerState, request: RequestState, outputTokens: number): Seconds {
  const { costs } = state.engine;
  const tail = request.spec.promptTokens.length - request.spec.prefixTokens;
  return prefillSeconds(costs, tail) + outputTokens * stepSeconds(costs, 1);
}

/** The same for a stage none of whose requests has come yet. */
export function stageSeconds(
  state: SchedulerState,
  workflowId: WorkflowId,
  stage: Stage,
  config: SchedulerConfig,
): Seconds {
  const { costs } = state.engine;
  const known = knownService(state, workflowId, stage.id, stage.agent);
  const everyone = state.services.get("all");
  const output =
    known?.meanOutputTokens ?? stage.expectedOutputTokens ?? everyone?.meanOutputTokens ?? config.priorOutputTokens;
  const tail = known?.meanTailTokens ?? everyone?.meanTailTokens ?? output;
  return prefillSeconds(costs, tail) + output * stepSeconds(costs, 1);
}
