/** One streamed chat call over plain HTTP, with everything a case wants to know about it. Never throws: what went wrong stands in `error`. */
import { request } from "node:http";

export interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

export interface ChatResult {
  readonly requestId: string;
  status: number | null;
  /** Milliseconds from the call on; null = never. */
  admittedMs: number | null;
  ttftMs: number | null;
  totalMs: number;
  text: string;
  usage: Usage | null;
  /** One entry a chunk. */
  readonly finishReasons: (string | null)[];
  finish: string | null;
  error: string | null;
  retryAfter: string | null;
  /** Longest time without a byte. */
  silenceMsMax: number;
}

export interface ChatCall {
  readonly port: number;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens?: number;
  /** Hangs up so long after the call. */
  readonly cutAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** More fields of the body, or other values for those set here. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly onText?: (text: string) => void;
}

let calls = 0;

export function chatCall(call: ChatCall): Promise<ChatResult> {
  calls += 1;
  const requestId = `case-${process.pid}-${calls}`;
  const result: ChatResult = {
    requestId,
    status: null,
    admittedMs: null,
    ttftMs: null,
    totalMs: 0,
    text: "",
    usage: null,
    finishReasons: [],
    finish: null,
    error: null,
    retryAfter: null,
    silenceMsMax: 0,
  };
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (error: string | null) => {
      if (hasEnded) return;
      hasEnded = true;
      result.error ??= error;
      result.totalMs = performance.now() - startedAt;
      resolve(result);
    };
    const outgoing = request({
      host: "127.0.0.1",
      port: call.port,
      path: "/v1/chat/completions",
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json", "x-request-id": requestId, ...call.headers },
    });
    const cut = call.cutAfterMs === undefined ? null : setTimeout(() => outgoing.destroy(), call.cutAfterMs);
    outgoing.on("error", (error) => end(String(error)));
    outgoing.on("close", () => cut && clearTimeout(cut));
    outgoing.on("response", (response) => {
      result.status = response.statusCode ?? null;
      result.retryAfter = String(response.headers["retry-after"] ?? "") || null;
      readAnswer(response, result, { startedAt, onText: call.onText ?? (() => {}), end });
    });
    outgoing.end(JSON.stringify(bodyOf(call)));
  });
}

function bodyOf({ messages, maxTokens = 32, fields }: ChatCall): object {
  const usage = { stream: true, stream_options: { include_usage: true } };
  return { model: "default", messages, max_tokens: maxTokens, temperature: 0, ...usage, ...fields };
}

interface Reading {
  readonly startedAt: number;
  readonly onText: (text: string) => void;
  readonly end: (error: string | null) => void;
}

function readAnswer(response: NodeJS.ReadableStream, result: ChatResult, { startedAt, onText, end }: Reading): void {
  let rest = "";
  let lastByteAt = startedAt;
  const sinceStart = () => performance.now() - startedAt;
  response.setEncoding("utf8");
  response.on("data", (data: string) => {
    result.silenceMsMax = Math.max(result.silenceMsMax, performance.now() - lastByteAt);
    lastByteAt = performance.now();
    if (result.status !== 200) {
      rest += data;
      return;
    }
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith(": prefill") || line.startsWith(": decode")) result.admittedMs ??= sinceStart();
      if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
      const text = takeChunk(JSON.parse(line.slice(6)), result);
      if (text === "") continue;
      result.admittedMs ??= sinceStart();
      result.ttftMs ??= sinceStart();
      onText(text);
    }
  });
  response.on("error", (error) => end(String(error)));
  response.on("end", () => end(result.status === 200 ? null : rest));
  response.on("close", () => end("The connection was closed in the middle of the answer."));
}

interface Chunk {
  readonly usage?: Usage | null;
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string };
    readonly finish_reason: string | null;
  }[];
}

function takeChunk(chunk: Chunk, result: ChatResult): string {
  result.usage = chunk.usage ?? result.usage;
  if (chunk.error !== undefined) result.error = JSON.stringify(chunk.error);
  let text = "";
  for (const { delta, finish_reason } of chunk.choices ?? []) {
    text += delta?.content ?? "";
    result.finishReasons.push(finish_reason);
    result.finish = finish_reason ?? result.finish;
  }
  result.text += text;
  return text;
}

export function cachedTokens(result: ChatResult): number {
  return result.usage?.prompt_tokens_details.cached_tokens ?? -1;
}

export function promptTokens(result: ChatResult): number {
  return result.usage?.prompt_tokens ?? -1;
}
