/**
 * One generation and the answers that are written from it. Usually that is one; a request that is sent again after its
 * connection was lost joins the generation of its first try and hears everything from the beginning.
 */
import type { EngineDescription } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import type { ApiError } from "../api-error";
import type { Answer } from "./answer";
import type { GenerationEvent } from "./generation-event";
import type { Generation } from "./start-generation";

export interface SharedOptions {
  readonly requestId: RequestId;
  /** The model that it runs on. */
  readonly engine: EngineDescription;
  /** Another answer may come later and needs what was told before. */
  readonly keepsEvents: boolean;
  readonly start: (hear: (event: GenerationEvent) => void) => Generation;
  /** It has ended and nobody writes from it any more. Called once. */
  readonly onOver: () => void;
}

export class SharedGeneration {
  readonly requestId: RequestId;
  readonly engine: EngineDescription;
  readonly #answers = new Set<Answer>();
  readonly #generation: Generation;
  #told: GenerationEvent[] = [];
  #outcome: "open" | "ended" | "failed" = "open";
  #isOver = false;
  /** Runs while nobody listens and somebody may come back. */
  #waiting: NodeJS.Timeout | undefined;

  constructor(private readonly options: SharedOptions) {
    this.requestId = options.requestId;
    this.engine = options.engine;
    this.#generation = options.start((event) => this.#hear(event));
  }

  get hasFailed(): boolean {
    return this.#outcome === "failed";
  }

  attach(answer: Answer): void {
    this.#stopWaiting();
    this.#answers.add(answer);
    for (const event of this.#told) answer.hear(event);
    if (!this.options.keepsEvents) this.#told = [];
  }

  /** The answer has ended. */
  leave(answer: Answer): void {
    this.#answers.delete(answer);
    this.#settle();
  }

  /** The answer's client is gone. If it was the last one, the generation goes on for so long, in case it comes back. */
  abandon(answer: Answer, goesOnMs: number): void {
    this.#answers.delete(answer);
    if (this.#answers.size > 0) return;
    if (goesOnMs === 0) return this.#cancel("The client closed the connection.");
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      this.#cancel("The client closed the connection and did not come back.");
      this.#settle();
    }, goesOnMs);
  }

  /** Tells every answer the error and ends. */
  stop(error: ApiError): void {
    const wasOpen = this.#outcome === "open";
    this.#hear({ kind: "failed", error });
    if (wasOpen) this.#generation.cancel(error.message);
    this.#stopWaiting();
    this.#settle();
  }

  #hear(event: GenerationEvent): void {
    if (this.#outcome !== "open") return;
    if (event.kind === "ended" || event.kind === "failed") this.#outcome = event.kind;
    // Before its first answer listens, and where another one may follow.
    if (this.#answers.size === 0 || this.options.keepsEvents) this.#told.push(event);
    for (const answer of this.#answers) answer.hear(event);
    if (this.hasFailed && this.#waiting !== undefined) {
      this.#stopWaiting();
      this.#settle();
    }
  }

  #cancel(reason: string): void {
    if (this.#outcome !== "open") return;
    this.#outcome = "failed";
    this.#generation.cancel(reason);
  }

  #stopWaiting(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }

  #settle(): void {
    if (this.#isOver || this.#outcome === "open" || this.#answers.size > 0 || this.#waiting !== undefined) return;
    this.#isOver = true;
    this.options.onOver();
  }
}
