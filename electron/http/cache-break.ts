/** Why a prompt could not use more of a known one: the two texts where they part, and what kind of change that is. */

export type CacheBreakKind = "none" | "clock" | "reordered_tools" | "changed_header" | "new_id" | "text";

export interface CacheBreak {
  readonly kind: CacheBreakKind;
  readonly sentence: string;
}

const clock =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}(:\d{2})?\b|\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/i;
const hint = /\b(date|time|today|now|clock)\b/i;
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;
const header = /(^|\n)\s*x-[\w-]+:[^\n]*$/i;
const tool = /"(name|function|parameters)"\s*:/;

/** `before`: the end of what both begin with. `isShared`: they part within the beginning that all of the agent's prompts share. */
export function explainBreak(before: string, here: string, there: string, isShared: boolean): CacheBreak {
  if (there === "") return { kind: "none", sentence: "It goes on where the known prompt ends." };
  if (here === "") return { kind: "none", sentence: "It is a beginning of the known prompt." };
  // A clock's own digits may be common to both, so its words are looked for across the border.
  const edge = [here, there].map((text) => before.slice(-24) + text.slice(0, 24));
  if (isShared && header.test(before)) {
    return {
      kind: "changed_header",
      sentence: "A header line inside the system prompt changed. Leave it out of the prompt.",
    };
  }
  if (isShared && edge.every((text) => tool.test(text)) && namesOf(here) !== "" && namesOf(here) !== namesOf(there)) {
    return {
      kind: "reordered_tools",
      sentence: "The tools stand in another order or are others. Send them in the same order each time.",
    };
  }
  if (isShared && (edge.every((text) => clock.test(text)) || (hint.test(before.slice(-24)) && /^\W*\d/.test(here)))) {
    return {
      kind: "clock",
      sentence:
        "A date or time stands in the system prompt. Put it at the end of the prompt, or into the user's message.",
    };
  }
  if (isShared && [here, there].every((text) => uuid.test(before.slice(-36) + text.slice(0, 48)))) {
    return { kind: "new_id", sentence: "An id that is new each time stands in the system prompt. Put it at the end." };
  }
  const where = isShared ? "inside the system prompt" : "behind the system prompt";
  return { kind: "text", sentence: `The texts differ ${where}.` };
}

function namesOf(text: string): string {
  return /"name"\s*:\s*"([^"]*)/.exec(text)?.[1] ?? /^\s*"?([\w-]+)/.exec(text)?.[1] ?? "";
}
