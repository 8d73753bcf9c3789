/** Refuses numbers that are no tokens of the model before llama.cpp sees them: they would end its process. */
import { PromptRefused } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";

/** Throws `PromptRefused` for the first number that is no token. */
export function checkTokens(tokens: readonly Token[], vocabularySize: number): void {
  const badToken = tokens.find((token) => !Number.isInteger(token) || token < 0 || token >= vocabularySize);
  if (badToken === undefined) return;
  throw new PromptRefused(`${badToken} is not a token of this model: it has ${vocabularySize}, from 0 on.`);
}
