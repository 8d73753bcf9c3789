/** The models that requests may name: those in the folders and those the user has chosen from elsewhere. */
import type { Timers } from "../timers";
import { isSame, type KnownModel } from "./known-model";

/** The folders are not read more often. */
const readAgainAfterMs = 2_000;

export class ModelList {
  #inFolders: readonly KnownModel[] = [];
  #chosen: readonly KnownModel[] = [];
  #reading: Promise<void> = Promise.resolve();
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly read: () => Promise<readonly KnownModel[]>,
    private readonly timers: Timers,
  ) {}

  get all(): readonly KnownModel[] {
    const others = this.#inFolders.filter((model) => !this.#chosen.some((chosen) => isSame(chosen, model)));
    return [...this.#chosen, ...others];
  }

  choose(model: KnownModel): void {
    this.#chosen = [model, ...this.#chosen.filter((other) => !isSame(other, model))];
  }

  /** Who comes while they are being read waits for the same reading. */
  refresh(): Promise<void> {
    if (this.timers.now() - this.#readAtMs < readAgainAfterMs) return this.#reading;
    this.#readAtMs = this.timers.now();
    this.#reading = this.read().then((models) => {
      this.#inFolders = models;
    });
    return this.#reading;
  }
}
