/** Turns the scheduler's events into what each request's owner hears. Text goes out as soon as its token is known. */
import type { RequestId } from "../../core/contract/ids";
import type { TopasEvent } from "../../core/topas/events";
import type { RequestRecord } from "../../core/view/request-record";
import type { RequestUpdate, RequestUsage } from "./live";

type Listener = (update: RequestUpdate) => void;

interface Stream {
  readonly listener: Listener;
  /** Text the engine keeps back; sent only if the answer ends for its length. */
  heldText: string;
}

export interface RequestStreams {
  add(requestId: RequestId, listener: Listener): void;
  hear(event: TopasEvent): void;
}

export function createRequestStreams(recordOf: (id: RequestId) => RequestRecord | undefined): RequestStreams {
  const streams = new Map<RequestId, Stream>();

  function end(requestId: RequestId, update: RequestUpdate): void {
    const stream = streams.get(requestId);
    streams.delete(requestId);
    stream?.listener(update);
  }

  function hear(event: TopasEvent): void {
    switch (event.kind) {
      case "request.admitted":
        streams.get(event.requestId)?.listener({ kind: "admitted" });
        return;
      case "batch.stepped":
      case "batch.finished":
        for (const { requestId, text, heldText } of event.answers) {
          const stream = streams.get(requestId);
          if (stream === undefined) continue;
          stream.heldText = heldText;
          if (text.length > 0) stream.listener({ kind: "text", text });
        }
        return;
      case "request.finished": {
        const stream = streams.get(event.requestId);
        if (event.reason === "length" && stream && stream.heldText.length > 0) {
          stream.listener({ kind: "text", text: stream.heldText });
        }
        const usage = usageOf(recordOf(event.requestId), event.atMs);
        return end(event.requestId, { kind: "finished", reason: event.reason, usage });
      }
      case "request.refused":
        return end(event.requestId, { kind: "refused", refusal: event.refusal });
      case "request.failed":
        return end(event.requestId, { kind: "failed", message: event.message });
      case "request.cancelled":
        return end(event.requestId, { kind: "cancelled", reason: event.reason });
      default:
        return;
    }
  }

  return { add: (requestId, listener) => void streams.set(requestId, { listener, heldText: "" }), hear };
}

/** Counts what the request found in the cache when it was first admitted, before any restart of the engine. */
function usageOf(record: RequestRecord | undefined, nowMs: number): RequestUsage {
  const arrivedAtMs = record?.arrivedAtMs ?? nowMs;
  return {
    promptTokens: record?.promptTokens ?? 0,
    completionTokens: record?.generatedTokens ?? 0,
    cachedTokens: (record?.reusedTokens ?? 0) + (record?.forkedTokens ?? 0),
    queueMs: (record?.admittedAtMs ?? nowMs) - arrivedAtMs,
    ttftMs: (record?.firstTokenAtMs ?? nowMs) - arrivedAtMs,
    durationMs: nowMs - arrivedAtMs,
  };
}
