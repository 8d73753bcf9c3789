/** What each API supplies: how its stream, its whole answer and its errors look. Everything else is the frame's. */
import type { ApiError } from "../api-error";
import type { GenerationEvent, GenerationUsage } from "./generation-event";

/** What is on its way to the client. */
export type AnswerPhase = "queued" | "prefill" | "decode";

/** `accepted` and the two ends are the frame's own. */
export type WrittenEvent = Exclude<GenerationEvent, { kind: "accepted" | "ended" | "failed" }>;

/** Text of server-sent events; the empty text writes nothing. */
export interface StreamWriter {
  readonly kind: "stream";
  /** Said once, behind the headers. */
  open(): string;
  write(event: WrittenEvent): string;
  /** The last words, when all choices have finished. */
  end(usage: GenerationUsage): string;
  /** The last words of a stream that goes wrong after its headers are out. */
  fail(error: ApiError): string;
  /** Breaks a silence. */
  keepAlive(phase: AnswerPhase): string;
}

export interface WholeWriter {
  readonly kind: "whole";
  take(event: WrittenEvent): void;
  body(usage: GenerationUsage): object;
  /** The body when the status 200 is already out. */
  fail(error: ApiError): object;
}

export type AnswerWriter = StreamWriter | WholeWriter;

/** A comment, which every reader of server-sent events passes over. */
export function sseComment(text: string): string {
  return `: ${text}\n\n`;
}

/** One event: `data` alone, or under a name. */
export function sseData(data: object, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}
