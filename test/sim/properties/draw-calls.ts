/** What the agents of a small world ask for: single requests, conversations and tasks of two declared workflows. */
import type { Random } from "../../../core/sim/random";
import type { RequestSpec } from "../../../core/topas/inputs";
import type { Workflow } from "../../../core/topas/workflow";
import { codeWorkflow, request, researchWorkflow } from "../../support/workloads";

/** One request and when its client sends it: at a time, or so long after the last answer it needs. */
export interface Call {
  readonly request: RequestSpec;
  readonly after: readonly string[];
  readonly delayMs: number;
  readonly outputTokens: number;
  readonly cancelledAfterMs: number | null;
}

const agents = ["planner", "scout", "analyst", "writer", "architect", "coder", "reviewer"];

type Named = Partial<RequestSpec> & Pick<RequestSpec, "requestId" | "agent">;

/** `roomTokens` = most that one request may have; some ask for more. `mayLeave`: some clients give up. */
export function drawCalls(random: Random, roomTokens: number, mayLeave: boolean): readonly Call[] {
  const draft = new Draft(random, mayLeave);
  const tasks = random.between(2, 6);
  const withinMs = pick(random, [0, 1000, 4000]);
  for (let task = 1; task <= tasks; task += 1) {
    const delayMs = random.between(0, withinMs);
    const kind = pick(random, ["lone", "conversation", "research", "code"] as const);
    if (kind === "lone") draft.addLone(task, delayMs, random.next() < 0.2 ? roomTokens + 40 : 60);
    else if (kind === "conversation") draft.addConversation(task, delayMs);
    else draft.addCrew(task, delayMs, kind === "research" ? researchWorkflow : codeWorkflow);
  }
  return draft.calls;
}

class Draft {
  readonly calls: Call[] = [];
  readonly #prefixes: ReadonlyMap<string, readonly number[]>;

  constructor(
    readonly random: Random,
    readonly mayLeave: boolean,
  ) {
    this.#prefixes = new Map(agents.map((agent, at) => [agent, counted(random.between(0, 60), 1000 * (at + 1))]));
  }

  addLone(task: number, delayMs: number, tailMost: number): void {
    this.#add({ requestId: `lone${task}`, agent: pick(this.random, agents) }, this.#tail(tailMost), { delayMs });
  }

  addCrew(task: number, startMs: number, { workflowId, stages }: Workflow): void {
    const taskId = `${workflowId}${task}`;
    for (const { id, agent, after: before } of stages) {
      const spec = { requestId: `${taskId}/${id}`, agent: agent ?? "", taskId, workflowId, stageId: id };
      const after = before.map((stage) => `${taskId}/${stage}`);
      this.#add(spec, this.#tail(40), { after, delayMs: after.length === 0 ? startMs : 0 });
    }
  }

  /** Each prompt is the one before it, its answer and a little more. */
  addConversation(task: number, startMs: number): void {
    const taskId = `talk${task}`;
    const agent = pick(this.random, agents);
    const turns = this.random.between(2, 3);
    let tail = this.#tail(20);
    for (let turn = 1; turn <= turns; turn += 1) {
      const outputTokens = this.random.between(1, 10);
      const after = turn === 1 ? [] : [`${taskId}/${turn - 1}`];
      const delayMs = turn === 1 ? startMs : this.random.between(0, 300);
      const spec = { requestId: `${taskId}/${turn}`, agent, taskId, maxTokens: 12 };
      this.#add(spec, tail, { after, delayMs, outputTokens });
      tail = [...tail, ...counted(outputTokens, firstAnswerToken), ...this.#tail(15)];
    }
  }

  #add(spec: Named, tail: readonly number[], call: Partial<Call>): void {
    const { random } = this;
    const prefix = this.#prefixes.get(spec.agent) ?? [];
    const maxTokens = random.next() < 0.2 ? null : random.between(1, 30);
    const drawn = { promptTokens: [...prefix, ...tail], prefixTokens: prefix.length, maxTokens };
    this.calls.push({
      request: request(spec.requestId, { ...drawn, ...spec }),
      after: [],
      delayMs: 0,
      outputTokens: random.between(1, 24),
      cancelledAfterMs: this.mayLeave && random.next() < 0.2 ? random.between(0, 1500) : null,
      ...call,
    });
  }

  /** Of few tokens, so that texts of different requests begin alike now and then. */
  #tail(most: number): number[] {
    return Array.from({ length: this.random.between(1, most) }, () => this.random.between(1, 3));
  }
}

/** The simulated engine numbers the tokens of an answer from here. */
const firstAnswerToken = 1_000_001;

const counted = (count: number, first: number) => Array.from({ length: count }, (_, at) => first + at);

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[random.between(0, values.length - 1)] as Value;
}
