/** Whether the longest prompt of every stage has room in the pool, together with its answer. */
import type { AgentId } from "../../contract/ids";
import { type PoolSpec, requestTokensMax } from "../profile/profile";
import { prefixLengths } from "./prefixes";
import type { Problem } from "./problem";
import { maxTokensOf, type StageSpec, type WorkflowSpec, type WorkloadSpec } from "./spec";

export interface LongestRequest {
  readonly path: string;
  readonly agent: AgentId;
  readonly promptTokens: number;
  readonly maxTokens: number;
}

/** The longest request of the workload, prompt and answer together: what a slot or the pool must hold. */
export function tokensNeeded(spec: WorkloadSpec): number {
  return Math.max(...longestRequests(spec).map(({ promptTokens, maxTokens }) => promptTokens + maxTokens));
}

export function checkFit(spec: WorkloadSpec, pool: PoolSpec): readonly Problem[] {
  const room = requestTokensMax(pool);
  return longestRequests(spec).flatMap(({ path, agent, promptTokens, maxTokens }) => {
    if (promptTokens + maxTokens <= room) return [];
    const prompt = `A prompt of agent "${agent}" can be ${count(promptTokens)} tokens long and its answer ${count(maxTokens)}`;
    const holds = pool.kind === "slots" ? `a slot holds ${count(room)}` : `the pool holds ${count(room)}`;
    return [{ path, message: `${prompt}, together ${count(promptTokens + maxTokens)}; ${holds}.` }];
  });
}

export function longestRequests(spec: WorkloadSpec): readonly LongestRequest[] {
  const prefixes = prefixLengths(spec);
  return spec.workflows.flatMap((workflow, at) =>
    workflow.stages.flatMap((stage, index) => {
      const path = `workflows[${at}].stages[${index}]`;
      return longestOfStage(stage, workflow).map(({ agent, tailTokens, maxTokens }) => {
        return { path, agent, promptTokens: (prefixes.get(agent) ?? 0) + tailTokens, maxTokens };
      });
    }),
  );
}

interface LongestTail {
  readonly agent: AgentId;
  readonly tailTokens: number;
  readonly maxTokens: number;
}

function longestOfStage(stage: StageSpec, workflow: WorkflowSpec): readonly LongestTail[] {
  switch (stage.kind) {
    case "call": {
      const read = stage.reads.reduce(
        (sum, id) => sum + longestAnswers(workflow.stages.find((one) => one.id === id)),
        0,
      );
      const { agent, tailTokens, outputTokens } = stage;
      return [{ agent, tailTokens: tailTokens[1] + read, maxTokens: maxTokensOf(outputTokens) }];
    }
    case "conversation": {
      const { agent, turns, firstTokens, outputTokens, resultTokens } = stage;
      const tailTokens = firstTokens[1] + (turns[1] - 1) * (outputTokens[1] + resultTokens[1]);
      return [{ agent, tailTokens, maxTokens: maxTokensOf(outputTokens) }];
    }
    case "group_chat": {
      const { selector, speakers, rounds, firstTokens, selectTokens, outputTokens } = stage;
      const tailTokens = firstTokens[1] + (rounds[1] - 1) * outputTokens[1];
      return [
        { agent: selector, tailTokens, maxTokens: maxTokensOf(selectTokens) },
        ...speakers.map((agent) => ({ agent, tailTokens, maxTokens: maxTokensOf(outputTokens) })),
      ];
    }
    default:
      return stage satisfies never;
  }
}

/** What a stage that waits for this one can read of it: all calls of a stage, the last one of a loop. */
function longestAnswers(stage: StageSpec | undefined): number {
  if (stage === undefined) return 0;
  return stage.outputTokens[1] * (stage.kind === "call" ? stage.calls[1] : 1);
}

const count = (tokens: number) => tokens.toLocaleString("en-US");
