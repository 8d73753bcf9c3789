/** What several decode steps in one batch mean: one rule for the scheduler and for every engine. */
import type { Batch, BatchAnswer, BatchResult } from "./engine";

/** Only pure decode steps can go on by themselves: the token drawn is all that the next one needs. */
export function allowsSteps({ operations, work }: Pick<Batch, "operations" | "work">): boolean {
  return operations.length === 0 && work.every(({ tokens, wantsToken }) => wantsToken && tokens.length === 1);
}

export function isLastStep(batch: Batch, { answers, failures }: Pick<BatchResult, "answers" | "failures">): boolean {
  return batch.steps <= 1 || failures.length > 0 || answers.some(({ ended }) => ended !== null);
}

/** The batch as it goes on after a step that was not its last. */
export function nextStep(batch: Batch, answers: readonly BatchAnswer[]): Batch {
  const drawn = new Map(answers.map(({ requestId, token }) => [requestId, token]));
  const work = batch.work.flatMap((piece) => {
    const token = drawn.get(piece.requestId);
    return token === undefined ? [] : [{ ...piece, position: piece.position + 1, tokens: [token] }];
  });
  return { ...batch, work, steps: Math.max(1, batch.steps - 1) };
}
