/**
 * What was to be expected at the decision, from the costs and the answer lengths the scheduler knew then, beside what the
 * records say came of it. Predictions are made by the engine as it stood: nobody else comes, nobody else leaves.
 */
import type { AgentId, Milliseconds, RequestId, Seconds } from "../contract/ids";
import type { SchedulerConfig } from "../topas/config";
import { moveSeconds, prefillSeconds, stepSeconds } from "../topas/cost";
import type { Action, Decision } from "../topas/decision";
import { stagesAhead } from "../topas/next-stages";
import { runningRequests } from "../topas/occupancy";
import { tokensLeft } from "../topas/plan-batch";
import { expectedOutput } from "../topas/service";
import type { RequestState, SchedulerState } from "../topas/state";
import type { RequestRecord } from "../view/request-record";
import type { Expectation } from "./inspection";

export type Records = ReadonlyMap<RequestId, RequestRecord>;

export function expectations(
  state: SchedulerState,
  config: SchedulerConfig,
  decision: Decision,
  records: Records,
): Expectation[] {
  const action = decision.candidates[0]?.action;
  if (action?.kind === "admit") return ofAdmission(state, config, decision, action, records);
  if (action?.kind === "hold") return ofHold(state, config, decision, records);
  return [];
}

function ofAdmission(
  state: SchedulerState,
  config: SchedulerConfig,
  { atMs }: Decision,
  { requestId, source }: Extract<Action, { kind: "admit" }>,
  records: Records,
): Expectation[] {
  const request = state.requests.get(requestId);
  if (request === undefined) return [];
  const { label, spec, generated } = request;
  const beside = runningRequests(state).length;
  const toCompute = spec.promptTokens.length + generated.length - source.tokens;
  const output = Math.round(expectedOutput(state, request, config));
  const firstMs = 1000 * (promptSeconds(state, config, toCompute, beside) + movedSeconds(state, source));
  const answerMs = 1000 * Math.max(0, output - 1) * stepSeconds(state.engine.costs, beside + 1);
  const record = records.get(requestId);
  const answer = record && record.generatedTokens - generated.length;
  const isFirst = generated.length === 0;
  const computed = toExpectation(
    `${label} computes of its prompt`,
    "tokens",
    toCompute,
    record,
    record?.computedTokens,
  );
  return [
    ...(isFirst ? [computed, since(`${label} gives its first token in`, firstMs, atMs, record, "first")] : []),
    toExpectation(`${label} ${isFirst ? "answers with" : "goes on for"}`, "tokens", output, record, answer),
    since(`${label} ends in`, firstMs + answerMs, atMs, record, "end"),
  ];
}

function ofHold(state: SchedulerState, config: SchedulerConfig, decision: Decision, records: Records): Expectation[] {
  const { atMs, kept } = decision;
  const next = soonest(runningRequests(state), (request) => leftSeconds(state, config, request));
  const needed = kept === null ? null : neededIn(state, config, kept.agent);
  const free =
    next === null
      ? []
      : [
          since(
            `slot ${next.one.slot ?? 0} becomes free in`,
            1000 * next.seconds,
            atMs,
            records.get(next.one.spec.requestId),
            "end",
          ),
        ];
  if (kept === null || needed === null) return free;
  const arrived = firstOf(records, kept.agent, atMs);
  const what = `${kept.agent} is needed again in`;
  const call: Expectation = {
    what,
    unit: "ms",
    predicted: Math.round(1000 * needed),
    happened: arrived === null ? null : Math.round(arrived - atMs),
    state: arrived === null ? "open" : "happened",
  };
  return [call, ...free];
}

/** Its pieces run beside the decode steps of the others. */
function promptSeconds(state: SchedulerState, config: SchedulerConfig, tokens: number, beside: number): Seconds {
  const { costs } = state.engine;
  const pieces = Math.ceil(tokens / config.pieceTokensMax);
  return prefillSeconds(costs, tokens) + pieces * stepSeconds(costs, beside);
}

function movedSeconds(state: SchedulerState, source: Extract<Action, { kind: "admit" }>["source"]): Seconds {
  return moveSeconds(state.engine.costs, source.tokens, source);
}

function leftSeconds(state: SchedulerState, config: SchedulerConfig, request: RequestState): Seconds {
  const running = runningRequests(state).length;
  const prompt = Math.max(0, tokensLeft(state, request) - 1);
  const output = expectedOutput(state, request, config);
  return promptSeconds(state, config, prompt, running - 1) + output * stepSeconds(state.engine.costs, running);
}

/** When the last of the running requests ends that the agent's next stage waits for; null if it is not one step away. */
function neededIn(state: SchedulerState, config: SchedulerConfig, agent: AgentId): Seconds | null {
  if ((stagesAhead(state).get(agent) ?? 0) === 0) return null;
  let soonestS: Seconds | null = null;
  for (const task of state.tasks.values()) {
    const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
    for (const stage of workflow?.stages ?? []) {
      if (stage.agent !== agent || task.stages.has(stage.id)) continue;
      const parents = runningRequests(state).filter(
        ({ spec }) => spec.taskId === task.taskId && spec.stageId !== null && stage.after.includes(spec.stageId),
      );
      if (parents.length === 0) continue;
      const lastS = Math.max(...parents.map((parent) => leftSeconds(state, config, parent)));
      soonestS = Math.min(soonestS ?? lastS, lastS);
    }
  }
  return soonestS;
}

function soonest<One>(all: readonly One[], secondsOf: (one: One) => Seconds): { one: One; seconds: Seconds } | null {
  let best: { one: One; seconds: Seconds } | null = null;
  for (const one of all) {
    const seconds = secondsOf(one);
    if (best === null || seconds < best.seconds) best = { one, seconds };
  }
  return best;
}

function firstOf(records: Records, agent: AgentId, fromMs: Milliseconds): Milliseconds | null {
  let first: Milliseconds | null = null;
  for (const record of records.values()) {
    if (record.agent !== agent || record.arrivedAtMs < fromMs) continue;
    first = Math.min(first ?? record.arrivedAtMs, record.arrivedAtMs);
  }
  return first;
}

/** Time from the decision to the first token or to the end. */
function since(
  what: string,
  predictedMs: Milliseconds,
  atMs: Milliseconds,
  record: RequestRecord | undefined,
  which: "first" | "end",
): Expectation {
  const cameMs = which === "first" ? record?.firstTokenAtMs : record?.endedAtMs;
  const isOver = record === undefined || record.endedAtMs !== null;
  const isWhole = which === "first" || record?.outcome === "finished";
  const happened = cameMs == null || !isWhole ? null : Math.round(cameMs - atMs);
  const state = happened !== null ? "happened" : isOver ? "never" : "open";
  return { what, unit: "ms", predicted: Math.round(predictedMs), happened, state };
}

/** A count is known once the request has ended well. */
function toExpectation(
  what: string,
  unit: Expectation["unit"],
  predicted: number,
  record: RequestRecord | undefined,
  came: number | undefined,
): Expectation {
  const isOver = record === undefined || record.endedAtMs !== null;
  const happened = record?.outcome === "finished" && came !== undefined ? came : null;
  return { what, unit, predicted, happened, state: happened !== null ? "happened" : isOver ? "never" : "open" };
}
