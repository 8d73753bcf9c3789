/** Tasks of declared workflows as a simulated workload: a stage's request is sent once the answers it needs are there. */
import type { AgentId, Milliseconds, RequestId, StageId, TaskId, Token } from "../contract/ids";
import type { TopasEvent } from "../topas/events";
import type { OutsideInput, RequestSpec } from "../topas/inputs";
import type { Workflow } from "../topas/workflow";
import type { Random } from "./random";
import type { Workload } from "./simulate";

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface CrewShape {
  readonly workflows: readonly Workflow[];
  readonly tasksOfEach: number;
  readonly meanGapMs: Milliseconds;
  readonly prefixTokens: Range;
  readonly tailTokens: Range;
  readonly outputTokens: Range;
  readonly maxTokens: number;
}

interface Stub {
  readonly request: RequestSpec;
  readonly after: readonly StageId[];
  readonly taskId: TaskId;
  readonly stageId: StageId;
}

export function crewWorkload(shape: CrewShape, random: Random): Workload {
  const prefixes = new Map<AgentId, Token[]>();
  const prefixOf = (agent: AgentId) => {
    const known =
      prefixes.get(agent) ?? tokens(random.between(shape.prefixTokens.low, shape.prefixTokens.high), prefixes.size + 1);
    prefixes.set(agent, known);
    return known;
  };
  const lengths = new Map<RequestId, number>();
  const stubs = new Map<RequestId, Stub>();
  const first: OutsideInput[] = shape.workflows.map((workflow) => ({
    origin: "outside",
    kind: "workflow.declared",
    atMs: 0,
    workflow,
  }));
  for (const workflow of shape.workflows) {
    let atMs = 0;
    for (let number = 1; number <= shape.tasksOfEach; number += 1) {
      atMs += random.exponential(shape.meanGapMs);
      const taskId = `${workflow.workflowId}/${number}`;
      for (const stage of workflow.stages) {
        const stub = stubOf(taskId, workflow, stage.id, stage.agent ?? "nobody", stage.after);
        stubs.set(stub.request.requestId, stub);
        if (stage.after.length === 0) first.push(submit(stub, atMs));
      }
    }
  }

  function stubOf(
    taskId: TaskId,
    { workflowId }: Workflow,
    stageId: StageId,
    agent: AgentId,
    after: readonly StageId[],
  ): Stub {
    const requestId = `${taskId}/${stageId}`;
    const prefix = prefixOf(agent);
    const tail = tokens(random.between(shape.tailTokens.low, shape.tailTokens.high), 1000 + stubs.size);
    lengths.set(requestId, random.between(shape.outputTokens.low, shape.outputTokens.high));
    const request: RequestSpec = {
      requestId,
      agent,
      taskId,
      workflowId,
      stageId,
      promptTokens: [...prefix, ...tail],
      prefixTokens: prefix.length,
      maxTokens: shape.maxTokens,
      sampling: { temperature: 0, topP: 1 },
      stop: [],
    };
    return { request, after, taskId, stageId };
  }

  const done = new Set<RequestId>();
  const answer = (event: TopasEvent): OutsideInput[] => {
    if (event.kind !== "request.finished") return [];
    done.add(event.requestId);
    const parent = stubs.get(event.requestId);
    const ready = [...stubs.values()].filter(
      (stub) =>
        stub.taskId === parent?.taskId &&
        stub.after.includes(parent.stageId) &&
        stub.after.every((id) => done.has(`${stub.taskId}/${id}`)),
    );
    return ready.map((stub) => submit(stub, event.atMs));
  };
  return { first, lengths, answer };
}

function submit({ request }: Stub, atMs: Milliseconds): OutsideInput {
  return { origin: "outside", kind: "request.submitted", atMs, request };
}

/** Tokens that no other `kind` shares. */
function tokens(count: number, kind: number): Token[] {
  return Array.from({ length: count }, (_, index) => kind * 10_000 + (index % 10_000));
}
