/** What could have been otherwise about the one that won: the prefix it uses or keeps, who needs that next, and each term. */
import { termNames } from "./ask";
import { type Asking, type Changed, type Found, type Steps, senseless } from "./asking";
import * as change from "./changes";
import { termWords } from "./words";

export function* stageFarther(asking: Asking): Steps<Found> {
  const { state, winnersAgent } = asking.question;
  if (winnersAgent === null) return senseless;
  return yield* asking.tryOne({
    kind: "stage_farther",
    state: change.withStageFarther(state, winnersAgent),
    sentence: `the stages that call ${winnersAgent} next were one stage further away`,
  });
}

export function* prefixGone(asking: Asking): Steps<Found> {
  const { state, winnersAgent, target } = asking.question;
  if (winnersAgent === null || winnersAgent === target?.spec.agent) return senseless;
  return yield* asking.tryOne({
    kind: "prefix_gone",
    state: change.withoutPrefix(state, winnersAgent),
    sentence: `${winnersAgent}'s prefix were not warm`,
  });
}

export function* noAct(asking: Asking): Steps<Found> {
  const { state } = asking.question;
  if (!change.hasActs(state)) return senseless;
  return yield* asking.tryOne({
    kind: "no_act",
    state: change.withoutActs(state),
    sentence: "you had left the queue alone",
  });
}

/** Only where terms decide; a term that is nothing for both changes nothing and is left out. */
export function* termsOff(asking: Asking): Steps<readonly Found[]> {
  const { state, config, targetScored, winnerScored } = asking.question;
  if (state.policy !== "topas") return [];
  const found: Found[] = [];
  for (const term of termNames()) {
    if (term === "progress" || !config.terms[term]) continue;
    if (winnerScored.terms[term] === 0 && (targetScored?.terms[term] ?? 0) === 0) continue;
    const changed: Changed = {
      kind: "term_off",
      state,
      config: { ...config, terms: { ...config.terms, [term]: false } },
      sentence: `${termWords[term]} did not count`,
    };
    found.push(yield* asking.tryOne(changed));
  }
  return found;
}
