/** One streamed chat request whose tokens say when the engine gave them. */

export interface StampedToken {
  /** Milliseconds of the system's clock. */
  readonly givenAtMs: number;
  readonly readAtMs: number;
}

export interface StreamCall {
  readonly url: string;
  readonly content: string;
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
  /** The headers have come: the request is in the queue. */
  readonly onAccepted?: () => void;
  readonly onToken?: (token: StampedToken) => void;
}

export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

export async function readStream({ url, content, maxTokens, signal, onAccepted, onToken }: StreamCall) {
  const answer = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ model: "default", stream: true, temperature: 0, max_tokens: maxTokens },
      messages: [{ role: "user", content }],
    }),
    signal: signal ?? null,
  });
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`);
  onAccepted?.();
  const tokens: StampedToken[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of answer.body) {
    const readAtMs = clockMs();
    const lines = `${rest}${decoder.decode(part, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const text = line.startsWith("data: {") ? JSON.parse(line.slice(6)).choices?.[0]?.delta?.content : undefined;
      // The first one is trimmed by none, but may come together with the role.
      if (typeof text !== "string" || text.trim() === "") continue;
      for (const stamp of text.trim().split(" ")) {
        const token = { givenAtMs: Number(stamp), readAtMs };
        tokens.push(token);
        onToken?.(token);
      }
    }
  }
  return tokens;
}
