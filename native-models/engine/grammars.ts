/**
 * Grammars of answers: the check before a request is accepted, and each request's own place in its grammar. Must never
 * hand llama.cpp a grammar that it could not read: it would end the process.
 */
import { PromptRefused } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";
import type { NativeContext, NativeGrammar, NativeGrammarState } from "./native-context";

/** Reading one is fast, but a text of this size could only be a mistake. */
const CHARACTERS_MAX = 1_000_000;

/** Throws `PromptRefused`. llama.cpp says what is wrong only to its log. */
export function readGrammar(native: NativeContext, grammar: string): NativeGrammar {
  if (grammar.length > CHARACTERS_MAX) {
    throw new PromptRefused(
      `The grammar is too long: it has more than ${CHARACTERS_MAX.toLocaleString("en-US")} characters.`,
    );
  }
  try {
    return native.createGrammar(grammar);
  } catch {
    throw new PromptRefused(
      "The grammar cannot be read: it has to be GBNF with a rule named root, every rule that is used defined, and none that begins with itself.",
    );
  }
}

/** The place behind the tokens that were drawn before the engine was restarted. */
export function grammarState(native: NativeContext, grammar: string, generated: readonly Token[]): NativeGrammarState {
  const state = native.createGrammarState(readGrammar(native, grammar));
  for (const token of generated) {
    if (!native.isEndOfGeneration(token)) native.acceptInGrammar(state, token);
  }
  return state;
}
