/** The client of one task: sends a call once the answers it waits for are there, and keeps what later prompts repeat. */
import type { AgentId, Milliseconds, RequestId, Token } from "../../contract/ids";
import type { OutsideInput, RequestSpec } from "../../topas/inputs";
import type { PlannedCall, PromptPart } from "./draw-task";
import type { TracedTask } from "./generate";

/** Numbers from here on are texts that only one task has; prefixes are below. */
const firstTextToken = 300_000_000;
/** Longer texts repeat themselves: what tells two of them apart is how they begin. */
const textPeriod = 4096;

export interface SenderOptions {
  readonly task: TracedTask;
  readonly index: number;
  readonly textsBefore: number;
  readonly prefixes: ReadonlyMap<AgentId, readonly Token[]>;
}

export class TaskSender {
  readonly task: TracedTask;
  readonly index: number;
  /** Texts of all tasks before this one. */
  readonly #textsBefore: number;
  readonly #prefixes: ReadonlyMap<AgentId, readonly Token[]>;
  readonly #waiting: Set<PlannedCall>;
  readonly #finished = new Set<RequestId>();
  readonly #answers = new Map<RequestId, Token[]>();

  constructor({ task, index, textsBefore, prefixes }: SenderOptions) {
    this.task = task;
    this.index = index;
    this.#textsBefore = textsBefore;
    this.#prefixes = prefixes;
    this.#waiting = new Set(task.calls);
    for (const { parts } of task.calls) {
      for (const part of parts) if (part.kind === "answer") this.#answers.set(part.of, []);
    }
  }

  opensWith(requestId: RequestId): boolean {
    return this.task.calls[0]?.requestId === requestId;
  }

  begin(): OutsideInput[] {
    return this.#send(this.task.arrivedAtMs);
  }

  noteToken(requestId: RequestId, token: Token): void {
    this.#answers.get(requestId)?.push(token);
  }

  finish(requestId: RequestId, atMs: Milliseconds): OutsideInput[] {
    this.#finished.add(requestId);
    if (this.#finished.size === this.task.calls.length) this.task.finishedAtMs = atMs;
    return this.#send(atMs);
  }

  #send(nowMs: Milliseconds): OutsideInput[] {
    const ready = [...this.#waiting].filter(({ after }) => after.every((id) => this.#finished.has(id)));
    return ready.map((call) => {
      this.#waiting.delete(call);
      return { origin: "outside", kind: "request.submitted", atMs: nowMs + call.gapMs, request: this.#request(call) };
    });
  }

  #request({ requestId, stageId, agent, parts, maxTokens }: PlannedCall): RequestSpec {
    const { taskId, workflowId } = this.task;
    const prefix = this.#prefixes.get(agent) ?? [];
    return {
      requestId,
      agent,
      taskId,
      workflowId,
      stageId,
      promptTokens: prefix.concat(...parts.map((part) => this.#tokens(part))),
      prefixTokens: prefix.length,
      maxTokens,
      sampling: { temperature: 0, topP: 1 },
      stop: [],
    };
  }

  #tokens(part: PromptPart): readonly Token[] {
    if (part.kind === "answer") return this.#answers.get(part.of) ?? [];
    const first = firstTextToken + (this.#textsBefore + part.text) * textPeriod;
    return Array.from({ length: part.tokens }, (_, at) => first + (at % textPeriod));
  }
}
