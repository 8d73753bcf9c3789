/**
 * How long requests of a kind take: distributions learned online for each stage of a workflow, each agent and everyone. The
 * finest kind that was seen counts; while it is thin the next coarser one is its prior, and at the very start a constant.
 */
import type { AgentId, Seconds, StageId, WorkflowId } from "../contract/ids";
import { namesMax, setBounded } from "./bounded";
import type { SchedulerConfig } from "./config";
import { prefillSeconds, stepSeconds } from "./cost";
import type { RequestState, SchedulerState, ServiceRecord } from "./state";
import type { Stage } from "./workflow";

const outputsKept = 64;
/** A kind seen so often weighs as much as its prior. */
const priorCount = 2;
const overrunShare = 0.25;

const stageKey = (workflowId: WorkflowId, stageId: StageId) => `stage:${workflowId}/${stageId}`;
const agentKey = (agent: AgentId) => `agent:${agent}`;

export function learnService(state: SchedulerState, request: RequestState): void {
  const { spec } = request;
  const keys = ["all", agentKey(spec.agent)];
  if (spec.workflowId !== null && spec.stageId !== null) keys.push(stageKey(spec.workflowId, spec.stageId));
  for (const key of keys) {
    const fresh: ServiceRecord = { count: 0, meanOutputTokens: 0, meanTailTokens: 0, lastOutputs: [] };
    const record = state.services.get(key) ?? fresh;
    record.lastOutputs[record.count % outputsKept] = request.generated.length;
    record.count += 1;
    record.meanOutputTokens += (request.generated.length - record.meanOutputTokens) / record.count;
    record.meanTailTokens += (spec.promptTokens.length - spec.prefixTokens - record.meanTailTokens) / record.count;
    setBounded(state.services, key, record, namesMax);
  }
}

/** Coarsest first. */
function knownServices(
  state: SchedulerState,
  workflowId: WorkflowId | null,
  stageId: StageId | null,
  agent: AgentId | null,
): ServiceRecord[] {
  const keys = ["all"];
  if (agent !== null) keys.push(agentKey(agent));
  if (workflowId !== null && stageId !== null) keys.push(stageKey(workflowId, stageId));
  return keys.flatMap((key) => state.services.get(key) ?? []);
}

/** Each finer kind outweighs the coarser ones once it was seen more than `priorCount` times. */
function blend(records: readonly ServiceRecord[], prior: number, ofRecord: (record: ServiceRecord) => number): number {
  return records.reduce((known, record) => {
    const weight = record.count / (record.count + priorCount);
    return weight * ofRecord(record) + (1 - weight) * known;
  }, prior);
}

/** Most tokens a request may still be given: its own limit and the room in a slot. */
export function outputLimit(state: SchedulerState, request: RequestState): number {
  const room = Math.max(1, state.engine.slotTokens - request.spec.promptTokens.length);
  return Math.min(request.spec.maxTokens ?? room, room);
}

/** Tokens a request is expected to generate from now on, at least one: of a running one, the mean of what is left beyond its own. */
export function expectedOutput(state: SchedulerState, request: RequestState, config: SchedulerConfig): number {
  const { workflowId, stageId, agent } = request.spec;
  const done = request.generated.length;
  const records = knownServices(state, workflowId, stageId, agent);
  const prior = Math.max(1, config.priorOutputTokens - done);
  const residual = blend(records, prior, (record) => residualOutput(record, done));
  return Math.max(1, Math.min(outputLimit(state, request) - done, residual));
}

/** E[X - done | X > done]; beyond everything seen, a share of what it has produced already. */
function residualOutput({ meanOutputTokens, lastOutputs }: ServiceRecord, done: number): number {
  if (done === 0) return meanOutputTokens;
  let [sum, count] = [0, 0];
  for (const length of lastOutputs) {
    if (length <= done) continue;
    sum += length - done;
    count += 1;
  }
  return count > 0 ? sum / count : done * overrunShare;
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
  const records = knownServices(state, workflowId, stage.id, stage.agent);
  const prior = stage.expectedOutputTokens ?? config.priorOutputTokens;
  const output = blend(records, prior, (record) => record.meanOutputTokens);
  const tail = blend(records, output, (record) => record.meanTailTokens);
  return prefillSeconds(costs, tail) + output * stepSeconds(costs, 1);
}
