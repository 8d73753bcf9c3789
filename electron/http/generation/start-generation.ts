/** Runs a planned generation on the live server and tells what happens in neutral words. */
import type { TokenLogprob } from "../../../core/contract/engine";
import type { RequestUpdate } from "../../live/live";
import { ApiError } from "../api-error";
import { toApiError } from "../error-answers";
import type { HttpContext } from "../http-context";
import { placeSender } from "../identity/place-sender";
import { cancelledError, failureError, promptError, refusalError } from "../live-errors";
import type { GenerationEvent, GenerationUsage } from "./generation-event";
import type { GenerationRequest } from "./generation-request";
import type { GenerationPlan } from "./plan-generation";
import { type Piece, ReasoningSplitter } from "./reasoning";

export interface Generation {
  readonly cancel: (reason: string) => void;
}

/** `hear` is first called after this has returned. Never rejects: what goes wrong is told as `failed`. */
export function startGeneration(
  context: HttpContext,
  request: GenerationRequest,
  plan: GenerationPlan,
  hear: (event: GenerationEvent) => void,
): Generation {
  let cancelled = false;
  const run = new Run(context, request, (event) => {
    context.conversations.hear(request.requestId, event);
    if (!cancelled) hear(event);
  });
  void run.start(plan, () => cancelled);
  return {
    cancel(reason) {
      cancelled = true;
      context.live.cancel(request.requestId, reason);
    },
  };
}

class Run {
  readonly #reasoning = new ReasoningSplitter();
  /** Of tokens whose text is still kept back. */
  #logprobs: TokenLogprob[] = [];
  #failed = false;

  constructor(
    private readonly context: HttpContext,
    private readonly request: GenerationRequest,
    private readonly hear: (event: GenerationEvent) => void,
  ) {}

  async start({ sources }: GenerationPlan, isCancelled: () => boolean): Promise<void> {
    const { live, log, refusals } = this.context;
    const { requestId, identity, maxTokens, sampling, stop, hints } = this.request;
    try {
      const [source] = sources;
      if (source === undefined || sources.length > 1)
        throw new ApiError("unsupported_parameter", "One prompt, please.");
      const { tokens: promptTokens, prefixTokens } = await live.encode(source);
      if (isCancelled()) return;
      const place = placeSender(this.context, { ...identity, model: this.request.model }, requestId);
      live.submit(
        { requestId, ...place, promptTokens, prefixTokens, maxTokens, sampling, stop, ...hints },
        this.update,
      );
      if (!this.#failed) this.hear({ kind: "accepted" });
    } catch (error) {
      const refusal = promptError(live, error);
      if (refusal !== null) refusals.note(requestId, refusal);
      this.#fail(refusal ?? toApiError(error, log));
    }
  }

  readonly update = (update: RequestUpdate): void => {
    switch (update.kind) {
      case "admitted":
        return this.hear({ kind: "admitted", choice: 0 });
      case "text":
        this.#logprobs.push(...(update.logprobs ?? []));
        return this.#pieces(this.#reasoning.push(update.text));
      case "finished":
        return this.#finish(update);
      case "refused": {
        const error = refusalError(update.refusal);
        this.context.refusals.note(this.request.requestId, error);
        return this.#fail(error);
      }
      case "failed":
        return this.#fail(failureError(this.context.live, update.message));
      case "cancelled":
        return this.#fail(cancelledError(update.reason, update.cause));
      default:
        return update satisfies never;
    }
  };

  #finish({ reason, stopText, usage }: Extract<RequestUpdate, { kind: "finished" }>): void {
    this.#pieces(this.#reasoning.flush());
    const all: GenerationUsage = { ...usage, reasoningTokens: 0 };
    const ended = reason === "length" ? "length" : "stop";
    this.hear({ kind: "finished", choice: 0, reason: ended, stopText, usage: all });
    this.hear({ kind: "ended", usage: all });
  }

  #pieces(pieces: readonly Piece[]): void {
    for (const { kind, text } of pieces) {
      if (kind === "reasoning") this.hear({ kind, choice: 0, text });
      else this.hear({ kind: "text", choice: 0, text, ...this.#takeLogprobs() });
    }
    // A thought's are not told.
    if (pieces.some(({ kind }) => kind === "reasoning")) this.#logprobs = [];
  }

  #takeLogprobs(): { readonly logprobs?: readonly TokenLogprob[] } {
    const logprobs = this.#logprobs;
    this.#logprobs = [];
    return logprobs.length === 0 ? {} : { logprobs };
  }

  #fail(error: ApiError): void {
    this.#failed = true;
    this.hear({ kind: "failed", error });
  }
}
