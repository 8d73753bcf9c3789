/**
 * Several models, one of them loaded: who wants another one waits here until those that run have ended, then the models are
 * exchanged. A prompt cannot even be tokenised without its model, so this comes before the scheduler and knows no slots.
 *
 *   loaded A  | a a a a a a . . . |  load B  |           a letter per request inside
 *   waiting B |   1 2 3 4 5 6 7 8 |          | b b b b
 *                   ^ patience: nobody enters A any more; those inside finish, then B is loaded
 *
 * While the loaded model has work, or had some a moment ago, it stays until somebody has waited for longer than the patience:
 * two agents with two models would else throw each other's caches out with every call. With nothing left to do it is put
 * away after the idle time, if there is one, and loaded again by the next request.
 */
import type { EngineDescription } from "../../../core/contract/engine";
import type { Milliseconds } from "../../../core/contract/ids";
import type { Timers } from "../timers";
import { isSame, type KnownModel, ModelNotLoadable } from "./known-model";
import { ModelWaiters } from "./model-waiters";

/** Somebody who uses the loaded model; it is not exchanged before everybody has left. */
export interface Visit {
  readonly engine: EngineDescription;
  /** Harmless when it is said twice. */
  leave(): void;
}

export interface ModelHouseParts {
  readonly timers: Timers;
  /** Loads it in place of the present one. */
  load(model: KnownModel): Promise<EngineDescription>;
  unload(): Promise<void>;
}

export interface ModelHouseLimits {
  /** Who has waited for so long has the loaded model drained. */
  readonly patienceMs: Milliseconds;
  /** A model that was used a moment ago may be used again: a tool ran, the next call comes. */
  readonly lingerMs: Milliseconds;
  /** A model that nobody uses is put away after so long; null: never. */
  readonly idleMs: Milliseconds | null;
  /** Requests that may wait for other models. */
  readonly waitingMax: number;
}

/** A model that could not be loaded is not tried again at once: each try costs the loaded one its cache. */
const triedAgainAfterMs = 60_000;

export class ModelHouse {
  readonly #waiters: ModelWaiters<Visit>;
  #loaded: { readonly model: KnownModel; readonly engine: EngineDescription } | null = null;
  #changingTo: KnownModel | null = null;
  #isPuttingAway = false;
  #last: KnownModel | null = null;
  #inside = 0;
  #leftAtMs = Number.NEGATIVE_INFINITY;
  readonly #failures = new Map<string, { readonly error: ModelNotLoadable; readonly atMs: Milliseconds }>();
  #takeBackTimer: () => void = () => {};

  constructor(
    private readonly parts: ModelHouseParts,
    private readonly limits: ModelHouseLimits,
  ) {
    this.#waiters = new ModelWaiters(limits.waitingMax);
  }

  /** What `default` means: the loaded model, or the one that was. Null before the first. */
  get present(): KnownModel | null {
    return this.#changingTo ?? this.#loaded?.model ?? this.#last;
  }

  /** There is a model, but it was put away until somebody needs it. */
  get isAsleep(): boolean {
    return this.#loaded === null && this.#changingTo === null && this.#last !== null;
  }

  stateOf(model: KnownModel): "loaded" | "loading" | "unloaded" {
    if (isSame(model, this.#changingTo)) return "loading";
    return isSame(model, this.#loaded?.model) ? "loaded" : "unloaded";
  }

  waitingFor(model: KnownModel): number {
    return this.#waiters.countOf(model);
  }

  /** The user's own choice: loaded at once, whatever runs. Rejects as `load` does. */
  async choose(model: KnownModel): Promise<EngineDescription> {
    this.#takeBackTimer();
    return this.#load(model);
  }

  /** Resolves when the model is loaded and it is this caller's turn; `signal` gives up waiting. */
  async enter(model: KnownModel, signal: AbortSignal): Promise<Visit> {
    const failure = this.#failures.get(model.modelPath);
    if (failure !== undefined && this.#now - failure.atMs < triedAgainAfterMs) throw failure.error;
    const { oldest } = this.#waiters;
    const mayEnter = oldest === undefined || this.#now - oldest.sinceMs < this.limits.patienceMs;
    if (mayEnter && !this.#isBusy && this.#loaded !== null && isSame(model, this.#loaded.model)) {
      return this.#visit(this.#loaded.engine);
    }
    const turn = this.#waiters.add(model, this.#now, signal);
    this.#consider();
    return turn;
  }

  get #now(): Milliseconds {
    return this.parts.timers.now();
  }

  get #isBusy(): boolean {
    return this.#changingTo !== null || this.#isPuttingAway;
  }

  #visit(engine: EngineDescription): Visit {
    this.#takeBackTimer();
    this.#inside += 1;
    let isInside = true;
    return {
      engine,
      leave: () => {
        if (!isInside) return;
        isInside = false;
        this.#inside -= 1;
        this.#leftAtMs = this.#now;
        this.#consider();
      },
    };
  }

  /** Looks whether there is anything to do; called whenever something changed. */
  #consider(): void {
    if (this.#isBusy || this.#inside > 0) return;
    this.#takeBackTimer();
    const { oldest } = this.#waiters;
    if (oldest === undefined) return this.#waitIdle();
    if (this.#loaded !== null && isSame(oldest.model, this.#loaded.model)) return this.#letIn();
    const lingersMs = this.#leftAtMs + this.limits.lingerMs - this.#now;
    const isDue = this.#now - oldest.sinceMs >= this.limits.patienceMs;
    if (this.#loaded === null || isDue || lingersMs <= 0) void this.#change(oldest.model);
    else this.#takeBackTimer = this.parts.timers.after(lingersMs, () => this.#consider());
  }

  async #change(model: KnownModel): Promise<void> {
    try {
      await this.#load(model);
    } catch (error) {
      // The user may have chosen another one meanwhile: then those who wait have a chance still.
      if (this.#isBusy || this.#loaded !== null) return;
      this.#refuse(model, error instanceof Error ? error.message : String(error));
      this.#consider();
    }
  }

  #refuse(model: KnownModel, reason: string): void {
    const error = new ModelNotLoadable(`The model '${model.modelId}' cannot be loaded. ${reason}`);
    this.#failures.set(model.modelPath, { error, atMs: this.#now });
    for (const waiter of this.#waiters.take(model)) waiter.reject(error);
  }

  async #load(model: KnownModel): Promise<EngineDescription> {
    this.#changingTo = model;
    this.#loaded = null;
    try {
      const engine = await this.parts.load(model);
      if (this.#changingTo === model) this.#moveIn(model, engine);
      return engine;
    } finally {
      if (this.#changingTo === model) this.#changingTo = null;
    }
  }

  #moveIn(model: KnownModel, engine: EngineDescription): void {
    this.#loaded = { model, engine };
    this.#last = model;
    this.#changingTo = null;
    this.#failures.delete(model.modelPath);
    this.#letIn();
    this.#consider();
  }

  #letIn(): void {
    if (this.#loaded === null) return;
    const { model, engine } = this.#loaded;
    for (const waiter of this.#waiters.take(model)) waiter.resolve(this.#visit(engine));
  }

  #waitIdle(): void {
    const { idleMs } = this.limits;
    if (idleMs === null || this.#loaded === null) return;
    this.#takeBackTimer = this.parts.timers.after(idleMs, () => void this.#putAway());
  }

  async #putAway(): Promise<void> {
    this.#isPuttingAway = true;
    this.#loaded = null;
    try {
      await this.parts.unload();
    } finally {
      this.#isPuttingAway = false;
    }
    this.#consider();
  }
}
