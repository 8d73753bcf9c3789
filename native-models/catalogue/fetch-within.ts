/** `fetch` that gives up when no answer has begun in time; a body may then take as long as it likes. */
import { ModelProblem } from "./model-problem";

export interface FetchWithinOptions extends RequestInit {
  readonly answerWithinMs: number;
  readonly signal?: AbortSignal;
}

/** Throws `ModelProblem`: unreachable or cancelled. The returned `stop` ends the body's transfer too. */
export async function fetchWithin(
  url: string,
  options: FetchWithinOptions,
): Promise<{ readonly response: Response; readonly stop: () => void }> {
  const { answerWithinMs, signal, ...init } = options;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), answerWithinMs);
  const signals = signal === undefined ? [giveUp.signal] : [giveUp.signal, signal];
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    return { response, stop: () => giveUp.abort() };
  } catch (error) {
    const host = new URL(url).host;
    if (signal?.aborted === true) throw cancelled();
    const why = giveUp.signal.aborted ? `no answer within ${answerWithinMs / 1000} s` : causeOf(error);
    throw new ModelProblem(
      "unreachable",
      `${host} cannot be reached (${why}).`,
      "Check the network connection, or choose a GGUF file on this machine.",
    );
  } finally {
    clearTimeout(timer);
  }
}

export function cancelled(): ModelProblem {
  return new ModelProblem("cancelled", "The download was cancelled.", "Start it again: what has arrived is kept.");
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}
