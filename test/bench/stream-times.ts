/** One streamed chat request, with the time of every token as its client sees it. */

export interface StreamTimes {
  readonly ttftMs: number;
  /** When each piece of text came, on the clock of `performance.now`. */
  readonly tokenAtMs: readonly number[];
  readonly promptTokens: number;
  readonly cachedTokens: number;
}

export interface StreamOptions {
  readonly baseUrl: string;
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
  onToken?(): void;
}

export async function streamChat({
  baseUrl,
  system,
  user,
  maxTokens,
  signal,
  onToken,
}: StreamOptions): Promise<StreamTimes> {
  const startedAtMs = performance.now();
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "default",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: maxTokens,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
    }),
    signal: signal ?? null,
  });
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`);
  const tokenAtMs: number[] = [];
  let usage: { prompt_tokens: number; prompt_tokens_details?: { cached_tokens?: number } } | null = null;
  let rest = "";
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = `${rest}${decoder.decode(part.value, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const chunk = JSON.parse(line.slice(6));
      usage = chunk.usage ?? usage;
      if (chunk.choices?.[0]?.delta?.content) {
        tokenAtMs.push(performance.now());
        onToken?.();
      }
    }
  }
  return {
    ttftMs: (tokenAtMs[0] ?? Number.NaN) - startedAtMs,
    tokenAtMs,
    promptTokens: usage?.prompt_tokens ?? 0,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  };
}

/** Time of one step while all streams run: the span in which every one of them was drawing, over the tokens of one. */
export function stepMs(streams: readonly StreamTimes[]): number {
  const fromMs = Math.max(...streams.map((stream) => stream.tokenAtMs[0] ?? 0));
  const toMs = Math.min(...streams.map((stream) => stream.tokenAtMs.at(-1) ?? 0));
  const inside = streams.map((stream) => stream.tokenAtMs.filter((at) => at > fromMs && at <= toMs).length);
  const steps = inside.reduce((sum, count) => sum + count, 0) / streams.length;
  return (toMs - fromMs) / steps;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
