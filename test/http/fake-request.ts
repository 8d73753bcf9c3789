/** One request inside `FakeLive`, moved by hand. */
import type { TokenLogprob } from "../../core/contract/engine";
import type { Refusal } from "../../core/topas/events";
import type { RequestRecord } from "../../core/view/request-record";
import type { QueueRow, RequestView } from "../../core/view/view";
import type { NewRequest, RequestUpdate, RequestUsage } from "../../electron/live/live";

export class FakeRequest {
  admitted = false;
  ended = false;
  #generated = 0;

  constructor(
    readonly spec: NewRequest,
    private readonly listener: (update: RequestUpdate) => void,
    private readonly changed: () => void,
  ) {}

  admit(): void {
    this.admitted = true;
    this.#tell({ kind: "admitted" });
  }

  text(text: string, logprobs?: readonly TokenLogprob[]): void {
    this.#generated += 1;
    this.#tell({ kind: "text", text, ...(logprobs && { logprobs }) });
  }

  finish(
    reason: "end_of_sequence" | "stop_text" | "length" = "end_of_sequence",
    usage: Partial<RequestUsage> = {},
    stopText: string | null = null,
  ): void {
    this.ended = true;
    this.#tell({ kind: "finished", reason, usage: { ...this.#usage(), ...usage }, stopText });
  }

  refuse(refusal: Refusal): void {
    this.ended = true;
    this.#tell({ kind: "refused", refusal });
  }

  fail(message: string): void {
    this.ended = true;
    this.#tell({ kind: "failed", message });
  }

  cancel(reason: string): void {
    this.ended = true;
    this.#tell({ kind: "cancelled", reason });
  }

  /** One piece in each turn of the loop, as an engine would. */
  answer(pieces: readonly string[], room: number): void {
    const most = Math.min(this.spec.maxTokens ?? room, room);
    this.admit();
    const next = () => {
      if (this.ended) return;
      const piece = pieces[this.#generated];
      if (piece === undefined) return this.finish();
      if (this.#generated >= most) return this.finish("length");
      this.text(piece);
      setImmediate(next);
    };
    setImmediate(next);
  }

  view(): RequestView {
    const { requestId, agent, taskId, stageId, promptTokens, prefixTokens } = this.spec;
    return {
      ...{ requestId, agent, taskId, stageId, prefixTokens, label: `${agent}#1`, promptTokens: promptTokens.length },
      ...{ arrivedAtMs: 2_000, admittedAtMs: null, firstTokenAtMs: null, slot: null, source: null },
      ...{
        phase: this.admitted ? "decode" : "waiting",
        movedUp: false,
        priority: "normal",
        deadlineMs: null,
        generatedTokens: 0,
        maxTokens: 10,
        tokensToEvaluate: 0,
      },
    };
  }

  queueRow(place: number): QueueRow {
    const { requestId } = this.spec;
    const sentence = "All slots are busy.";
    return {
      requestId,
      place,
      formerPlace: null,
      score: 1.5,
      reuse: { kind: "prefill", tokens: 0 },
      sentence,
      code: "NO_FREE_SLOT",
      decision: 7,
    };
  }

  record(): RequestRecord {
    const { requestId, agent, taskId, workflowId, stageId, promptTokens } = this.spec;
    return {
      ...{ requestId, agent, taskId, workflowId, stageId, label: `${agent}#1`, priority: "normal" },
      ...{
        outcome: this.ended ? "finished" : this.admitted ? "running" : "waiting",
        ending: this.ended ? "end_of_sequence" : null,
      },
      ...{ arrivedAtMs: 2_000, admittedAtMs: this.admitted ? 4_000 : null, firstTokenAtMs: null, endedAtMs: null },
      ...{ slot: null, promptTokens: promptTokens.length, reusedTokens: 0, forkedTokens: 0, forkedFromSlot: null },
      ...{ computedTokens: 0, generatedTokens: this.#generated, restarts: 0, waits: [], admittedBecause: null },
    };
  }

  #usage(): RequestUsage {
    const promptTokens = this.spec.promptTokens.length;
    return {
      promptTokens,
      completionTokens: this.#generated,
      cachedTokens: 3,
      queueMs: 40,
      ttftMs: 90,
      durationMs: 200,
    };
  }

  #tell(update: RequestUpdate): void {
    this.listener(update);
    this.changed();
  }
}
