/**
 * Starts a generation and tells what happens to it: each prompt is encoded once and submitted once for each of its
 * choices, so that the choices share its prefix. If one choice fails, the others are cancelled and the whole has failed.
 */
import type { EncodedPrompt } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import type { RequestUpdate } from "../../live/live";
import { ApiError } from "../api-error";
import { toApiError } from "../error-answers";
import type { HttpContext } from "../http-context";
import { placeSender } from "../identity/place-sender";
import { cancelledError, failureError, promptError, refusalError } from "../live-errors";
import { AnswerReader } from "./answer-reader";
import { checkGeneration } from "./check-generation";
import type { GenerationEvent, GenerationFinish, GenerationUsage } from "./generation-event";
import type { GenerationRequest } from "./generation-request";
import { endsInThought } from "./open-thought";
import type { GenerationPlan, PromptPlan } from "./plan-generation";

export interface Generation {
  /** Ends every choice that has not ended; nothing is told any more. */
  cancel(reason: string): void;
}

/** Never throws: what goes wrong is told as `failed`. */
export function startGeneration(
  context: HttpContext,
  request: GenerationRequest,
  plan: GenerationPlan,
  hear: (event: GenerationEvent) => void,
): Generation {
  const run = new GenerationRun(context, request, (event) => {
    context.conversations.hear(request.requestId, event);
    hear(event);
  });
  void run.start(plan);
  return {
    cancel(reason) {
      context.conversations.hear(request.requestId, { kind: "failed", error: cancelledError(reason) });
      run.cancel(reason);
    },
  };
}

interface Choice {
  readonly requestId: RequestId;
  readonly prompt: number;
  readonly reader: AnswerReader;
  usage: GenerationUsage | null;
}

class GenerationRun {
  readonly #choices: Choice[] = [];
  #ended = false;

  constructor(
    private readonly context: HttpContext,
    private readonly request: GenerationRequest,
    private readonly hear: (event: GenerationEvent) => void,
  ) {}

  async start(plan: GenerationPlan): Promise<void> {
    const { live, log } = this.context;
    try {
      await checkGeneration(live, this.request, plan);
      const prompts: { readonly encoded: EncodedPrompt; readonly beginsInThought: boolean }[] = [];
      for (const promptPlan of plan.prompts) {
        const encoded = await live.encode(promptPlan.source);
        prompts.push({ encoded, beginsInThought: await endsInThought(live, promptPlan, encoded) });
      }
      if (this.#ended) return;
      plan.prompts.forEach((promptPlan, index) => {
        const { encoded, beginsInThought } = prompts[index] ?? {};
        if (encoded) this.#submitChoices(promptPlan, index, encoded, beginsInThought);
      });
      // A refusal came within `submit`, so that it is still a plain HTTP error.
      if (!this.#ended) this.hear({ kind: "accepted" });
    } catch (error) {
      const refusal = error instanceof ApiError ? error : promptError(live, error, this.#param);
      if (refusal !== null) this.context.refusals.note(this.request.requestId, refusal);
      this.#fail(refusal ?? toApiError(error, log));
    }
  }

  cancel(reason: string): void {
    this.#ended = true;
    // Also before it was submitted: whoever watches the request learns that it is over.
    if (this.#choices.length === 0) this.context.live.cancel(this.request.requestId, reason);
    this.#cancelOpen(reason);
  }

  #cancelOpen(reason: string): void {
    for (const { requestId, usage } of this.#choices) {
      if (usage === null) this.context.live.cancel(requestId, reason);
      if (requestId !== this.request.requestId) this.context.requestIds.release(requestId);
    }
  }

  #submitChoices(plan: PromptPlan, prompt: number, encoded: EncodedPrompt, beginsInThought = false): void {
    for (let copy = 0; copy < this.request.choices && !this.#ended; copy += 1) {
      const index = this.#choices.length;
      const reader = new AnswerReader(index, plan, beginsInThought);
      this.#choices.push({ requestId: this.#idOf(index), prompt, reader, usage: null });
      this.#submit(index, copy, plan, encoded);
    }
  }

  #idOf(index: number): RequestId {
    const { requestId } = this.request;
    return index === 0 ? requestId : this.context.requestIds.claim(`${requestId}-${index}`);
  }

  #submit(index: number, copy: number, { grammar }: PromptPlan, { tokens, prefixTokens }: EncodedPrompt): void {
    const { live } = this.context;
    const { requestId: ownId, identity, maxTokens, stop, hints } = this.request;
    const requestId = this.#choices[index]?.requestId ?? ownId;
    // All choices belong where the first one does, to a task of their own if they named none.
    const place = placeSender(this.context, { ...identity, model: this.request.model }, ownId);
    const { seed, ...drawn } = this.request.sampling;
    const sampling = {
      ...drawn,
      // With one seed all choices would be the same.
      ...(seed === undefined ? {} : { seed: seed + copy }),
      ...(grammar === null ? {} : { grammar }),
    };
    live.submit(
      { requestId, ...place, promptTokens: tokens, prefixTokens, maxTokens, sampling, stop, ...hints },
      (update) => this.#update(index, update),
    );
  }

  #update(index: number, update: RequestUpdate): void {
    const choice = this.#choices[index];
    if (choice === undefined || this.#ended) return;
    switch (update.kind) {
      case "admitted":
        return this.hear({ kind: "admitted", choice: index });
      case "text":
        return this.#tell(choice.reader.push(update.text, update.logprobs));
      case "finished":
        return this.#finish(index, choice, update);
      case "refused":
        choice.usage = noUsage;
        this.context.refusals.note(choice.requestId, refusalError(update.refusal, this.#param));
        return this.#fail(refusalError(update.refusal, this.#param));
      case "failed":
        choice.usage = noUsage;
        return this.#fail(failureError(this.context.live, update.message));
      case "cancelled":
        choice.usage = noUsage;
        return this.#fail(cancelledError(update.reason, update.cause));
      default:
        return update satisfies never;
    }
  }

  #finish(index: number, choice: Choice, update: Extract<RequestUpdate, { kind: "finished" }>): void {
    this.#tell(choice.reader.end());
    const { completionTokens } = update.usage;
    choice.usage = {
      ...update.usage,
      reasoningTokens: Math.min(completionTokens, choice.reader.reasoningTokens),
    };
    const reason = finishOf(update.reason, choice.reader.hasCalls);
    this.hear({ kind: "finished", choice: index, reason, stopText: update.stopText, usage: choice.usage });
    const usages = this.#choices.map(({ usage }) => usage);
    const isWhole = this.#choices.length === this.request.prompts.length * this.request.choices;
    if (!isWhole || usages.includes(null)) return;
    this.#ended = true;
    this.#cancelOpen("");
    this.hear({ kind: "ended", usage: this.#usageOfAll() });
  }

  /** Where prompts stand in the client's body. */
  get #param(): string {
    return this.request.prompts.some(({ kind }) => kind === "chat") ? "messages" : "prompt";
  }

  #tell(pieces: readonly GenerationEvent[]): void {
    for (const piece of pieces) this.hear(piece);
  }

  #fail(error: ApiError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelOpen("Another choice of the same request could not be finished.");
    this.hear({ kind: "failed", error });
  }

  /** A prompt counts once however many choices it has; the times are those of the first token and the last. */
  #usageOfAll(): GenerationUsage {
    const usages = this.#choices.map(({ usage }) => usage ?? noUsage);
    const first = usages.filter((_, index) => index % this.request.choices === 0);
    const sum = (of: readonly GenerationUsage[], count: (usage: GenerationUsage) => number) =>
      of.reduce((total, usage) => total + count(usage), 0);
    return {
      promptTokens: sum(first, (usage) => usage.promptTokens),
      cachedTokens: sum(first, (usage) => usage.cachedTokens),
      completionTokens: sum(usages, (usage) => usage.completionTokens),
      reasoningTokens: sum(usages, (usage) => usage.reasoningTokens),
      queueMs: Math.min(...usages.map((usage) => usage.queueMs)),
      ttftMs: Math.min(...usages.map((usage) => usage.ttftMs)),
      durationMs: Math.max(...usages.map((usage) => usage.durationMs)),
    };
  }
}

const noUsage: GenerationUsage = {
  ...{ promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
  ...{ queueMs: 0, ttftMs: 0, durationMs: 0 },
};

function finishOf(reason: "end_of_sequence" | "stop_text" | "length", hasCalls: boolean): GenerationFinish {
  if (reason === "length") return "length";
  return hasCalls ? "tool_calls" : "stop";
}
