/**
 * Responses that nobody waits for: answered at once as `queued`, then found under their id while they are made and afterwards.
 * They are cancelled by their id, and when the server closes.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Visit } from "../../live/models/model-house";
import { enterModel } from "../enter-model";
import type { GenerationEvent } from "../generation/generation-event";
import { planGeneration } from "../generation/plan-generation";
import type { UnnamedGeneration } from "../generation/serve-generation";
import { startGeneration } from "../generation/start-generation";
import type { HttpContext } from "../http-context";
import type { InputItem } from "./input-items";
import { ResponseMaker } from "./response-maker";
import type { ResponseHead, ResponseObject } from "./response-object";
import type { ResponseStore } from "./response-store";

export class BackgroundResponses {
  readonly #running = new Map<string, BackgroundRun>();

  constructor(
    private readonly context: HttpContext,
    private readonly store: ResponseStore,
  ) {}

  async start(
    request: FastifyRequest,
    reply: FastifyReply,
    head: ResponseHead,
    wanted: UnnamedGeneration,
    input: readonly InputItem[],
  ): Promise<ResponseObject> {
    const { context } = this;
    const visit = await enterModel(context, reply.raw, wanted.model);
    try {
      return this.#begin(request, reply, head, wanted, input, visit);
    } catch (error) {
      visit.leave();
      throw error;
    }
  }

  #begin(
    request: FastifyRequest,
    reply: FastifyReply,
    head: ResponseHead,
    wanted: UnnamedGeneration,
    input: readonly InputItem[],
    visit: Visit,
  ): ResponseObject {
    const { context } = this;
    const plan = planGeneration(visit.engine, wanted);
    const requestId = context.requestIds.claim(request.id);
    reply.header("x-request-id", requestId);
    const run = new BackgroundRun(
      new ResponseMaker(head),
      (response) => this.store.put({ response, input }),
      () => {
        visit.leave();
        this.#running.delete(head.id);
        context.openAnswers.delete(requestId);
        context.requestIds.release(requestId);
      },
    );
    const queued = run.begin();
    this.#running.set(head.id, run);
    const generation = startGeneration(context, { ...wanted, requestId }, plan, run.hear);
    run.stopGeneration = generation.cancel;
    if (!run.ended) {
      context.openAnswers.set(requestId, {
        stop(error) {
          run.hear({ kind: "failed", error });
          generation.cancel(error.message);
        },
      });
    }
    return queued;
  }

  /** Nothing happens to a response that has ended. */
  cancel(responseId: string): void {
    this.#running.get(responseId)?.cancel();
  }
}

class BackgroundRun {
  ended = false;
  stopGeneration: (reason: string) => void = () => {};

  constructor(
    private readonly maker: ResponseMaker,
    private readonly keep: (response: ResponseObject) => void,
    private readonly onEnd: () => void,
  ) {}

  begin(): ResponseObject {
    const queued = this.maker.response("queued");
    this.keep(queued);
    return queued;
  }

  readonly hear = (event: GenerationEvent): void => {
    if (this.ended) return;
    switch (event.kind) {
      case "accepted":
        return;
      case "ended":
        return this.#end(this.maker.end(event.usage).response);
      case "failed":
        return this.#end(this.maker.fail(event.error));
      case "admitted":
        return this.keep(this.maker.response("in_progress"));
      default:
        this.maker.take(event);
    }
  };

  cancel(): void {
    if (this.ended) return;
    this.#end(this.maker.cancelled());
    this.stopGeneration("The client cancelled the response.");
  }

  #end(response: ResponseObject): void {
    this.ended = true;
    this.keep(response);
    this.onEnd();
  }
}
