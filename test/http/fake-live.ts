/**
 * A `Live` in memory for tests of the endpoint: no engine, no scheduler, and nothing happens but what the test tells a
 * request to do, or, with `answers`, a fixed answer as soon as a slot is free.
 */
import { contextLengthMessage } from "../../core/contract/context-length";
import {
  type EmbedOptions,
  type EngineDescription,
  PromptRefused,
  type PromptSource,
  type TokenizeOptions,
} from "../../core/contract/engine";
import type { PolicyName } from "../../core/contract/policy-name";
import type { InspectionResult } from "../../core/inspect/inspection";
import type { Decision } from "../../core/topas/decision";
import type { Workflow } from "../../core/topas/workflow";
import { emptyView } from "../../core/view/fold";
import { History, viewFolding } from "../../core/view/history";
import type { RequestRecord } from "../../core/view/request-record";
import type { LiveView, RequestView } from "../../core/view/view";
import type { Live, NewRequest, RequestUpdate, UserAct } from "../../electron/live/live";
import type { Eviction, PrefixFinding } from "../../electron/live/past-log";
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
  readonly nowMs = 5_000;
  /** Nothing ever happens here. */
  readonly history = new History(emptyView("topas"), viewFolding);
  readonly acts: UserAct[] = [];
  refuseAct: string | null = null;
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

  /** One token a letter: its code. */
  async tokenize(text: string, { addBos }: TokenizeOptions) {
    await this.beforeEncode();
    const letters = [...text].map((letter) => letter.codePointAt(0) ?? 0);
    return addBos ? [1, ...letters] : letters;
  }

  async detokenize(tokens: readonly number[]) {
    await this.beforeEncode();
    const badToken = tokens.find((token) => !Number.isInteger(token) || token < 0 || token > 0xffff);
    if (badToken !== undefined) throw new PromptRefused(`${badToken} is not a token of this model.`);
    return String.fromCodePoint(...tokens);
  }

  /** The number of tokens and their sum, then zeros. */
  async embed(inputs: readonly (readonly number[])[], { normalize }: EmbedOptions) {
    await this.beforeEncode();
    return inputs.map((tokens) => {
      const vector = Array.from({ length: this.engine?.embeddingSize ?? 0 }, () => 0);
      vector.splice(
        0,
        2,
        tokens.length,
        tokens.reduce((sum, token) => sum + token, 0),
      );
      return normalize ? vector.map((number) => number / Math.hypot(...vector)) : vector;
    });
  }

  async checkGrammar(grammar: string) {
    await this.beforeEncode();
    if (!grammar.includes("root ::=")) throw new PromptRefused("The grammar cannot be read: it has no root.");
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

  withdrawWorkflow(workflowId: string): void {
    delete this.workflows[workflowId];
  }

  choosePolicy(policy: PolicyName): void {
    this.policy = policy;
  }

  act(act: UserAct): string | null {
    this.acts.push(act);
    return this.refuseAct;
  }

  explain(requestId: string): RequestRecord | null {
    const request = this.requests.find((other) => other.spec.requestId === requestId);
    return this.records.get(requestId) ?? request?.record() ?? null;
  }

  readonly past = {
    requests: () => [...this.requests.map((request) => request.record()), ...this.records.values()],
    decisions: [] as Decision[],
    evictions: [] as Eviction[],
    finding: (requestId: string) => this.findings.get(requestId) ?? null,
  };
  readonly findings = new Map<string, PrefixFinding>();

  inspected: InspectionResult = { kind: "not_made", decisions: 0 };

  async inspect(): Promise<InspectionResult> {
    return this.inspected;
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
