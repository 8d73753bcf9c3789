/** Turns the scheduler's events into what each request's owner hears. Text goes out as soon as its token is known. */
import type { BatchAnswer, TokenLogprob } from "../../core/contract/engine";
import type { RequestId } from "../../core/contract/ids";
import type { TopasEvent } from "../../core/topas/events";
import type { RequestRecord } from "../../core/view/request-record";
import type { RequestUpdate, RequestUsage } from "./live";

type Listener = (update: RequestUpdate) => void;

interface Stream {
  readonly listener: Listener;
  /** Text the engine keeps back; sent only if the answer ends for its length. */
  heldText: string;
  /** Of tokens whose text is still kept back. */
  logprobs: TokenLogprob[];
  stopText: string | null;
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
        for (const answer of event.answers) {
          const stream = streams.get(answer.requestId);
          if (stream !== undefined) hearAnswer(stream, answer);
        }
        return;
      case "request.finished": {
        const stream = streams.get(event.requestId);
        if (event.reason === "length" && stream) tellText(stream, stream.heldText);
        const usage = usageOf(recordOf(event.requestId), event.atMs);
        const stopText = stream?.stopText ?? null;
        return end(event.requestId, { kind: "finished", reason: event.reason, usage, stopText });
      }
      case "request.refused":
        return end(event.requestId, { kind: "refused", refusal: event.refusal });
      case "request.failed":
        return end(event.requestId, { kind: "failed", message: event.message });
      case "request.cancelled":
        return end(event.requestId, {
          kind: "cancelled",
          reason: event.reason,
          ...(event.cause && { cause: event.cause }),
        });
      default:
        return;
    }
  }

  return { add: (requestId, listener) => void streams.set(requestId, emptyStream(listener)), hear };
}

function emptyStream(listener: Listener): Stream {
  return { listener, heldText: "", logprobs: [], stopText: null };
}

function hearAnswer(stream: Stream, { text, heldText, logprob, ended, stopText }: BatchAnswer): void {
  stream.heldText = heldText;
  stream.stopText = stopText ?? null;
  // The token that ends an answer by itself has no text.
  if (logprob !== undefined && ended !== "end_of_sequence") stream.logprobs.push(logprob);
  if (ended === "stop_text") stream.logprobs = withinText(stream.logprobs, text);
  tellText(stream, text);
}

/** Text and the log probabilities that were waiting for it. */
function tellText(stream: Stream, text: string): void {
  if (text.length === 0) return;
  const { logprobs } = stream;
  stream.logprobs = [];
  stream.listener({ kind: "text", text, ...(logprobs.length > 0 && { logprobs }) });
}

/** Those of the tokens that the text begins with; the rest belongs to the stop text, which nobody is shown. */
function withinText(logprobs: readonly TokenLogprob[], text: string): TokenLogprob[] {
  let bytesLeft = new TextEncoder().encode(text).length;
  return logprobs.filter(({ bytes }) => {
    const isShown = bytesLeft > 0;
    bytesLeft -= bytes.length;
    return isShown;
  });
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
