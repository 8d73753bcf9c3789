/** When the requests without hints ended, those that name no workflow, stage or run, and how long any request ran at most. */
import type { TopasEvent } from "../../../core/topas/events";

export class LoneWatch {
  readonly endedAtMs = new Map<string, number>();
  longestRunMs = 0;
  readonly #admittedAtMs = new Map<string, number>();

  take(event: TopasEvent): void {
    if (event.kind === "request.admitted") this.#admittedAtMs.set(event.requestId, event.atMs);
    if (event.kind !== "request.finished") return;
    const ranMs = event.atMs - (this.#admittedAtMs.get(event.requestId) ?? event.atMs);
    this.longestRunMs = Math.max(this.longestRunMs, ranMs);
    if (event.requestId.startsWith("lone")) this.endedAtMs.set(event.requestId, event.atMs);
  }
}
