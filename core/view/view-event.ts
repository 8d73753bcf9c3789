/** Events as the window gets them: counts in place of tokens and text, so that no prompt leaves the main process. */
import type { AgentId, Milliseconds, RequestId, SlotIndex, StageId, TaskId, WorkflowId } from "../contract/ids";
import type { EventBody, TopasEvent } from "../topas/events";
import type { Priority } from "../topas/inputs";

export interface RequestFacts {
  readonly requestId: RequestId;
  readonly agent: AgentId;
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId | null;
  readonly stageId: StageId | null;
  readonly promptTokens: number;
  readonly prefixTokens: number;
  readonly maxTokens: number | null;
  readonly priority?: Priority;
  readonly deadlineMs?: Milliseconds;
}

type Counted = "request.arrived" | "batch.started" | "batch.stepped" | "batch.finished" | "alarm.set";

export type ViewEventBody =
  | Exclude<EventBody, { kind: Counted }>
  | {
      readonly kind: "request.arrived";
      readonly request: RequestFacts;
      readonly label: string;
      readonly arrival: number;
    }
  | {
      readonly kind: "batch.started";
      readonly work: readonly { readonly requestId: RequestId; readonly slot: SlotIndex; readonly tokens: number }[];
    }
  | {
      readonly kind: "batch.stepped";
      readonly drawn: readonly RequestId[];
      readonly failedRequests: readonly RequestId[];
    }
  | {
      readonly kind: "batch.finished";
      readonly drawn: readonly RequestId[];
      readonly failedRequests: readonly RequestId[];
    }
  | { readonly kind: "alarm.set" };

export type ViewEvent = ViewEventBody & { readonly number: number; readonly atMs: number };

export function toViewEvent(event: TopasEvent): ViewEvent {
  const { number, atMs } = event;
  switch (event.kind) {
    case "request.arrived": {
      const { requestId, agent, taskId, workflowId, stageId, promptTokens, prefixTokens, maxTokens } = event.request;
      const { priority, deadlineMs } = event.request;
      const request = {
        requestId,
        agent,
        taskId,
        workflowId,
        stageId,
        promptTokens: promptTokens.length,
        prefixTokens,
        maxTokens,
        ...(priority === undefined ? {} : { priority }),
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      };
      return { kind: event.kind, number, atMs, request, label: event.label, arrival: event.arrival };
    }
    case "batch.started": {
      const work = event.batch.work.map(({ requestId, slot, tokens }) => ({ requestId, slot, tokens: tokens.length }));
      return { kind: event.kind, number, atMs, work };
    }
    case "batch.stepped":
    case "batch.finished": {
      const drawn = event.answers.map((answer) => answer.requestId);
      return { kind: event.kind, number, atMs, drawn, failedRequests: event.failedRequests };
    }
    case "alarm.set":
      return { kind: event.kind, number, atMs };
    default:
      return event;
  }
}
