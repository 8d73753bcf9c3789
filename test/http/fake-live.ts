/**
 * A `Live` in memory for tests of the endpoint: no engine, no scheduler, and nothing happens but what the test tells a
 * request to do, or, with `answers`, a fixed answer as soon as a slot is free.
 */
import { contextLengthMessage } from "../../core/contract/context-length";
import type { EngineDescription, PromptSource } from "../../core/contract/engine";
import type { PolicyName } from "../../core/contract/policy-name";
import type { Workflow } from "../../core/topas/workflow";
import { emptyView } from "../../core/view/fold";
import type { RequestRecord } from "../../core/view/request-record";
import type { LiveView, RequestView } from "../../core/view/view";
import type { Live, NewRequest, RequestUpdate } from "../../electron/live/live";
import { fakeEngine } from "./fake-engine";
import { FakeRequest } from "./fake-request";

export interface FakeLiveOptions {
  /** Pieces of every answer; without them each request waits to be told. */
  readonly answers?: readonly string[];
  readonly waitingMax?: number;
  readonly engine?: Partial<EngineDescription>;
}

export class FakeLive implements Live {
  engine: EngineDescription | null;
  health: Live["health"] = "ready";
  /** Set to make `encode` wait or fail. */
  beforeEncode: () => Promise<void> = async () => {};
  readonly encoded: PromptSource[] = [];
  readonly requests: FakeRequest[] = [];
  readonly cancelled: { requestId: string; reason: string }[] = [];
  readonly workflows: Record<string, Workflow> = {};
  readonly records = new Map<string, RequestRecord>();
  policy: PolicyName = "topas";
  #listeners: (() => void)[] = [];

  constructor(private readonly options: FakeLiveOptions = {}) {
    this.engine = { ...fakeEngine, ...options.engine };
  }

  get view(): LiveView {
    const open = this.requests.filter((request) => !request.ended);
    const requests = Object.fromEntries(open.map((request) => [request.spec.requestId, request.view()]));
    const waiting = open.filter((request) => !request.admitted);
    return {
      ...emptyView(this.policy),
      atMs: 5_000,
      workflows: this.workflows,
      requests: requests as Record<string, RequestView>,
      queue: waiting.map((request, index) => request.queueRow(index + 1)),
    };
  }

  /** One token a word. */
  async encode(source: PromptSource) {
    this.encoded.push(source);
    this.#changed();
    await this.beforeEncode();
    if (source.kind === "tokens") return { tokens: source.tokens, prefixTokens: 0 };
    const messages = source.kind === "chat" ? source.messages : [{ role: "user", content: source.text }];
    const words = messages.map(({ content }) => content.split(/\s+/).filter((word) => word !== "").length + 1);
    const tokens = Array.from({ length: words.reduce((sum, count) => sum + count, 0) }, (_, index) => index);
    return { tokens, prefixTokens: messages[0]?.role === "system" ? (words[0] ?? 0) : 0 };
  }

  submit(spec: NewRequest, listener: (update: RequestUpdate) => void): void {
    const request = new FakeRequest(spec, listener, () => this.#changed());
    const slotTokens = this.engine?.slotTokens ?? 0;
    const promptTokens = spec.promptTokens.length;
    if (promptTokens >= slotTokens) {
      return request.refuse({
        code: "context_length_exceeded",
        message: contextLengthMessage(promptTokens, slotTokens),
        promptTokens,
        slotTokens,
      });
    }
    const waiting = this.requests.filter((other) => !other.ended && !other.admitted).length;
    if (waiting >= (this.options.waitingMax ?? 512)) {
      return request.refuse({ code: "queue_full", message: `${waiting} requests are waiting, which is the limit.` });
    }
    this.requests.push(request);
    if (this.options.answers) request.answer(this.options.answers, slotTokens - promptTokens);
    this.#changed();
  }

  cancel(requestId: string, reason: string): void {
    this.cancelled.push({ requestId, reason });
    const request = this.requests.find((other) => other.spec.requestId === requestId);
    if (request && !request.ended) request.cancel(reason);
    this.#changed();
  }

  declareWorkflow(workflow: Workflow): void {
    this.workflows[workflow.workflowId] = workflow;
  }

  choosePolicy(policy: PolicyName): void {
    this.policy = policy;
  }

  explain(requestId: string): RequestRecord | null {
    const request = this.requests.find((other) => other.spec.requestId === requestId);
    return this.records.get(requestId) ?? request?.record() ?? null;
  }

  /** Resolves as soon as `is` holds; looked at after every change, never by the clock. */
  async when(is: () => boolean): Promise<void> {
    while (!is()) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }

  /** The request submitted as number `count`, once it is there. */
  async submitted(count = 1): Promise<FakeRequest> {
    await this.when(() => this.requests.length >= count);
    const request = this.requests[count - 1];
    if (!request) throw new Error(`There is no request ${count}.`);
    return request;
  }

  #changed(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
