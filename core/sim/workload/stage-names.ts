/** Stages as they are declared to the scheduler: a group chat is two of them, who speaks and what is said. */
import type { StageId } from "../../contract/ids";
import type { Stage, Workflow } from "../../topas/workflow";
import { meanOf, type StageSpec, type WorkflowSpec } from "./spec";

export const selectStageOf = (chat: StageId): StageId => `${chat}:select`;
export const speakStageOf = (chat: StageId): StageId => `${chat}:speak`;

/** `stages` in topological order; answer lengths are for the scheduler to learn, as they are in life. */
export function declaredWorkflow({ id, stages }: WorkflowSpec): Workflow {
  const chats = new Set(stages.filter(({ kind }) => kind === "group_chat").map((stage) => stage.id));
  const declared = stages.flatMap((stage) => {
    const after = stage.after.map((before) => (chats.has(before) ? speakStageOf(before) : before));
    return declaredStages(stage, after);
  });
  return { workflowId: id, name: id, stages: declared };
}

function declaredStages(stage: StageSpec, after: readonly StageId[]): readonly Stage[] {
  const { id } = stage;
  const expectedOutputTokens = null;
  switch (stage.kind) {
    case "call":
      return [{ id, agent: stage.agent, after, expectedCalls: meanOf(stage.calls), expectedOutputTokens }];
    case "conversation":
      return [{ id, agent: stage.agent, after, expectedCalls: meanOf(stage.turns), expectedOutputTokens }];
    case "group_chat": {
      const expectedCalls = meanOf(stage.rounds);
      const select = selectStageOf(id);
      return [
        { id: select, agent: stage.selector, after, expectedCalls, expectedOutputTokens },
        { id: speakStageOf(id), agent: null, after: [select], expectedCalls, expectedOutputTokens },
      ];
    }
    default:
      return stage satisfies never;
  }
}
