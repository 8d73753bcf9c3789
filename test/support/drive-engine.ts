/** Drives an engine port the way a scheduler would, one batch after the other, for tests of the port. */
import type {
  BatchAnswer,
  BatchResult,
  BatchWork,
  EnginePort,
  EngineRequest,
  SamplingOptions,
  SequenceOperation,
} from "../../core/contract/engine";
import type { RequestId, SlotIndex, Token } from "../../core/contract/ids";

export const GREEDY: SamplingOptions = { temperature: 0, topP: 1 };

let lastBatchId = 0;

export function openRequest(engine: EnginePort, requestId: RequestId, request: Partial<EngineRequest> = {}): void {
  engine.open({ requestId, sampling: GREEDY, stop: [], generated: [], ...request });
}

export function evaluate(
  engine: EnginePort,
  batch: {
    readonly operations: readonly SequenceOperation[];
    readonly work: readonly BatchWork[];
    readonly steps?: number;
  },
  onStep?: (result: BatchResult) => void,
): Promise<BatchResult> {
  return engine.run({ batchId: ++lastBatchId, steps: 1, ...batch }, onStep);
}

interface Prompt {
  readonly requestId: RequestId;
  readonly slot: SlotIndex;
  readonly prompt: readonly Token[];
  readonly pieceTokens?: number;
}

/** Evaluates a prompt from the beginning of an empty slot, in pieces; gives the results of all of them. */
export async function prefill(
  engine: EnginePort,
  {
    requestId,
    slot,
    prompt,
    pieceTokens = prompt.length,
    wantsToken = true,
  }: Prompt & { readonly wantsToken?: boolean },
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (let position = 0; position < prompt.length; position += pieceTokens) {
    const tokens = prompt.slice(position, position + pieceTokens);
    const isLast = position + tokens.length === prompt.length;
    const work = [{ requestId, slot, position, tokens, wantsToken: isLast && wantsToken }];
    results.push(await evaluate(engine, { operations: [], work }));
  }
  return results;
}

export async function continueRequest(
  engine: EnginePort,
  work: Omit<BatchWork, "wantsToken"> & { readonly operations?: readonly SequenceOperation[] },
): Promise<BatchAnswer | undefined> {
  const { operations = [], ...piece } = work;
  const { answers } = await evaluate(engine, { operations, work: [{ ...piece, wantsToken: true }] });
  return answers[0];
}

/** The first `steps` answers to a prompt, fewer if it ends before. `first` = the last result of its prefill, if that was done. */
export async function generate(
  engine: EnginePort,
  { steps, first, ...prompt }: Prompt & { readonly steps: number; readonly first?: BatchResult | undefined },
): Promise<BatchAnswer[]> {
  const start = first ?? (await prefill(engine, prompt)).at(-1);
  const answer = start?.answers[0];
  if (!answer || answer.ended !== null) return answer ? [answer] : [];
  const running = {
    requestId: prompt.requestId,
    slot: prompt.slot,
    position: prompt.prompt.length,
    token: answer.token,
  };
  const rest = await decodeTogether(engine, [running], steps - 1);
  return [answer, ...(rest.get(prompt.requestId) ?? [])];
}

export interface RunningSequence {
  readonly requestId: RequestId;
  readonly slot: SlotIndex;
  readonly position: number;
  /** The newest token, not evaluated yet. */
  readonly token: Token;
}

/** Decode steps of several sequences in one batch each; a sequence that ends leaves. */
export async function decodeTogether(
  engine: EnginePort,
  sequences: readonly RunningSequence[],
  steps: number,
): Promise<Map<RequestId, BatchAnswer[]>> {
  const answers = new Map<RequestId, BatchAnswer[]>(sequences.map(({ requestId }) => [requestId, []]));
  let running = sequences;
  for (let step = 0; step < steps && running.length > 0; step++) {
    const work = running.map(({ token, ...sequence }) => ({ ...sequence, tokens: [token], wantsToken: true }));
    const result = await evaluate(engine, { operations: [], work });
    const byRequest = new Map(result.answers.map((answer) => [answer.requestId, answer]));
    running = running.flatMap((sequence) => {
      const answer = byRequest.get(sequence.requestId);
      if (!answer) return [];
      answers.get(sequence.requestId)?.push(answer);
      return answer.ended === null ? [{ ...sequence, position: sequence.position + 1, token: answer.token }] : [];
    });
  }
  return answers;
}
