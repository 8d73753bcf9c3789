/** What every step of a recorded run did and how long it took: all that a cost model is fitted from. */
import { nextStep } from "../../contract/batch-steps";
import type { Batch, SequenceOperation } from "../../contract/engine";
import type { Milliseconds } from "../../contract/ids";
import type { TopasEvent } from "../../topas/events";

export interface StepSample {
  readonly decoding: number;
  readonly promptTokens: number;
  readonly copies: number;
  readonly savedTokens: number;
  readonly restoredTokens: number;
  /** From its start to its result: what the engine took and what the way there and back took. */
  readonly durationMs: Milliseconds;
}

export class StepSamples {
  readonly samples: StepSample[] = [];
  #underWay: Batch | null = null;
  #sinceMs: Milliseconds = 0;

  take(event: TopasEvent): void {
    switch (event.kind) {
      case "batch.started":
        this.#underWay = event.batch;
        this.#sinceMs = event.atMs;
        return;
      case "batch.stepped":
      case "batch.finished":
        if (this.#underWay === null) return;
        // A step in which a request failed did less than was asked of it.
        if (event.failedRequests.length === 0) this.samples.push(sampleOf(this.#underWay, event.atMs - this.#sinceMs));
        this.#sinceMs = event.atMs;
        this.#underWay = event.kind === "batch.stepped" ? nextStep(this.#underWay, event.answers) : null;
        return;
      case "engine.lost":
      case "engine.ready":
        this.#underWay = null;
        return;
      default:
        return;
    }
  }
}

/** Counts as `batchMs` of the simulated engine does. */
function sampleOf({ work, operations }: Batch, durationMs: Milliseconds): StepSample {
  const tokensOf = (kind: "save" | "restore") =>
    operations.reduce((sum, operation) => sum + (operation.kind === kind ? operation.tokens : 0), 0);
  return {
    decoding: work.filter(({ tokens, wantsToken }) => wantsToken && tokens.length === 1).length,
    promptTokens: work.reduce((sum, { tokens }) => sum + (tokens.length > 1 ? tokens.length : 0), 0),
    copies: operations.filter((operation: SequenceOperation) => operation.kind === "copy").length,
    savedTokens: tokensOf("save"),
    restoredTokens: tokensOf("restore"),
    durationMs,
  };
}
