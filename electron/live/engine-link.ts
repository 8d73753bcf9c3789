/** Obeys the scheduler's events on the engine's side: opens and closes requests, runs batches, reports what came of them. */
import { type Batch, EngineLost, type EnginePort } from "../../core/contract/engine";
import type { RequestId } from "../../core/contract/ids";
import type { TopasEvent } from "../../core/topas/events";
import type { SchedulerState } from "../../core/topas/state";
import type { Driver } from "./driver";

export interface EngineLink {
  connect(port: EnginePort): void;
  disconnect(reason: string): void;
}

export function linkEngine(driver: Driver, state: SchedulerState): EngineLink {
  let port: EnginePort | null = null;
  /** Closed before the next batch, never during one: the engine may be drawing for them. */
  let toClose: RequestId[] = [];

  function obey(event: TopasEvent): void {
    if (port === null) return;
    switch (event.kind) {
      case "request.admitted": {
        const request = state.requests.get(event.requestId);
        if (request === undefined) return;
        const { sampling, stop } = request.spec;
        port.open({ requestId: event.requestId, sampling, stop, generated: request.generated });
        return;
      }
      case "request.finished":
      case "request.cancelled":
      case "request.failed":
        toClose.push(event.requestId);
        return closeIfIdle();
      case "batch.finished":
        return closeIfIdle();
      case "batch.interrupted":
        return port.interrupt();
      case "batch.started":
        closeEnded();
        void run(port, event.batch);
        return;
      default:
        return;
    }
  }

  function closeIfIdle(): void {
    if (state.batchInFlight === null) closeEnded();
  }

  function closeEnded(): void {
    for (const requestId of toClose) port?.close(requestId);
    toClose = [];
  }

  async function run(engine: EnginePort, batch: Batch): Promise<void> {
    try {
      const result = await engine.run(batch, (stepped) => {
        if (engine === port) driver.feed({ origin: "engine", kind: "batch.stepped", result: stepped });
      });
      if (engine === port) driver.feed({ origin: "engine", kind: "batch.finished", result });
    } catch (error) {
      if (error instanceof EngineLost || engine !== port) return; // told by `disconnect`
      const message = error instanceof Error ? error.message : String(error);
      const failures = batch.work.map(({ requestId }) => ({ requestId, message }));
      const result = { batchId: batch.batchId, durationMs: 0, answers: [], failures };
      driver.feed({ origin: "engine", kind: "batch.finished", result });
    }
  }

  driver.onEngineEvent(obey);
  return {
    connect(engine) {
      port = engine;
      toClose = [];
      const { slots, slotTokens, costs } = engine.description;
      driver.feed({ origin: "engine", kind: "engine.ready", slots, slotTokens, costs });
    },
    disconnect(reason) {
      port = null;
      driver.feed({ origin: "engine", kind: "engine.lost", reason });
    },
  };
}
