/** One task drawn ahead: all its calls, their lengths and pauses, before anything has run. It sends nothing. */
import type { AgentId, Milliseconds, RequestId, StageId, TaskId } from "../../contract/ids";
import type { Random } from "../random";
import { drawGap } from "./draw-gap";
import {
  type CallStage,
  type ConversationStage,
  type GroupChatStage,
  maxTokensOf,
  type StageSpec,
  type WorkflowSpec,
} from "./spec";
import { selectStageOf, speakStageOf } from "./stage-names";

/** A piece of a prompt behind the agent's prefix. `text` numbers pieces of one task: the same number is the same text. */
export type PromptPart =
  | { readonly kind: "fresh"; readonly text: number; readonly tokens: number }
  | { readonly kind: "answer"; readonly of: RequestId; readonly tokens: number };

export interface PlannedCall {
  readonly requestId: RequestId;
  readonly stageId: StageId;
  readonly agent: AgentId;
  readonly after: readonly RequestId[];
  readonly gapMs: Milliseconds;
  readonly parts: readonly PromptPart[];
  readonly outputTokens: number;
  readonly maxTokens: number;
}

/** Calls in the order of the workflow's stages, which is to be topological: the first one waits for nothing. */
export function drawTask(workflow: WorkflowSpec, taskId: TaskId, random: Random): readonly PlannedCall[] {
  const drawing = new TaskDrawing(taskId, random);
  for (const stage of workflow.stages) drawing.add(stage);
  return drawing.calls;
}

/** How many different texts the task's prompts are made of, answers not counted. */
export function textsOf(calls: readonly PlannedCall[]): number {
  return Math.max(...calls.flatMap(({ parts }) => parts.map((part) => (part.kind === "fresh" ? part.text : 0)))) + 1;
}

class TaskDrawing {
  readonly calls: PlannedCall[] = [];
  readonly #taskId: TaskId;
  readonly #random: Random;
  #texts = 0;
  /** Calls that end a stage, and all of it. */
  readonly #last = new Map<StageId, readonly PlannedCall[]>();

  constructor(taskId: TaskId, random: Random) {
    this.#taskId = taskId;
    this.#random = random;
  }

  add(stage: StageSpec): void {
    switch (stage.kind) {
      case "call":
        return this.#addCalls(stage);
      case "conversation":
        return this.#addConversation(stage);
      case "group_chat":
        return this.#addGroupChat(stage);
      default:
        return stage satisfies never;
    }
  }

  #addCalls(stage: CallStage): void {
    const random = this.#random;
    const gapMs = stage.after.length === 0 ? 0 : drawGap(stage.gap, random);
    const read = stage.reads.flatMap((id) => this.#last.get(id) ?? []);
    const readTokens = read.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
    const drawTail = () => this.#fresh(random.between(...stage.tailTokens) + readTokens);
    const shared = stage.sameTail ? drawTail() : null;
    const count = random.between(...stage.calls);
    const calls = Array.from({ length: count }, (_, index) =>
      this.#call(count === 1 ? stage.id : `${stage.id}:${index + 1}`, {
        stageId: stage.id,
        agent: stage.agent,
        after: this.#endOf(stage.after),
        gapMs,
        parts: [shared ?? drawTail()],
        outputTokens: random.between(...stage.outputTokens),
        maxTokens: maxTokensOf(stage.outputTokens),
      }),
    );
    this.#last.set(stage.id, calls);
  }

  #addConversation(stage: ConversationStage): void {
    const random = this.#random;
    const turns = random.between(...stage.turns);
    let parts: readonly PromptPart[] = [this.#fresh(random.between(...stage.firstTokens))];
    let after = this.#endOf(stage.after);
    for (let turn = 1; turn <= turns; turn += 1) {
      const call = this.#call(`${stage.id}:${turn}`, {
        stageId: stage.id,
        agent: stage.agent,
        after,
        gapMs: turn === 1 ? 0 : drawGap(stage.gap, random),
        parts,
        outputTokens: random.between(...stage.outputTokens),
        maxTokens: maxTokensOf(stage.outputTokens),
      });
      parts = [...parts, answerOf(call), this.#fresh(random.between(...stage.resultTokens))];
      after = [call.requestId];
      this.#last.set(stage.id, [call]);
    }
  }

  #addGroupChat(stage: GroupChatStage): void {
    const random = this.#random;
    const rounds = random.between(...stage.rounds);
    let transcript: readonly PromptPart[] = [this.#fresh(random.between(...stage.firstTokens))];
    let after = this.#endOf(stage.after);
    for (let round = 1; round <= rounds; round += 1) {
      const select = this.#call(`${selectStageOf(stage.id)}:${round}`, {
        stageId: selectStageOf(stage.id),
        agent: stage.selector,
        after,
        gapMs: 0,
        parts: transcript,
        outputTokens: random.between(...stage.selectTokens),
        maxTokens: maxTokensOf(stage.selectTokens),
      });
      const speak = this.#call(`${speakStageOf(stage.id)}:${round}`, {
        stageId: speakStageOf(stage.id),
        agent: stage.speakers[random.between(0, stage.speakers.length - 1)] as AgentId,
        after: [select.requestId],
        gapMs: 0,
        parts: transcript,
        outputTokens: random.between(...stage.outputTokens),
        maxTokens: maxTokensOf(stage.outputTokens),
      });
      transcript = [...transcript, answerOf(speak)];
      after = [speak.requestId];
      this.#last.set(stage.id, [speak]);
    }
  }

  #call(name: string, call: Omit<PlannedCall, "requestId">): PlannedCall {
    const planned = { requestId: `${this.#taskId}/${name}`, ...call };
    this.calls.push(planned);
    return planned;
  }

  #fresh(tokens: number): PromptPart {
    this.#texts += 1;
    return { kind: "fresh", text: this.#texts, tokens };
  }

  #endOf(stages: readonly StageId[]): readonly RequestId[] {
    return stages.flatMap((id) => this.#last.get(id) ?? []).map(({ requestId }) => requestId);
  }
}

function answerOf({ requestId, outputTokens }: PlannedCall): PromptPart {
  return { kind: "answer", of: requestId, tokens: outputTokens };
}
