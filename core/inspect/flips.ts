/**
 * "Would have won if": one thing is changed in the state of the decision and the planner is asked again; only where it then
 * chooses the target does the change stand here. Where the change is a number, the smallest that is enough is searched for.
 */
import { kvPool } from "../topas/pool";
import type { SchedulerState } from "../topas/state";
import { Asking, type Found, type Question, type Steps } from "./asking";
import type { Flips } from "./inspection";
import { moreRoom, older, prefixHere, shorterAnswer, workflowEnds } from "./target-changes";
import { noAct, prefixGone, stageFarther, termsOff } from "./winner-changes";

export function* findFlips(question: Question): Steps<Flips> {
  const { target } = question;
  const asking = new Asking(question);
  const all: Found[] = [];
  if (target !== null) {
    for (const find of helpful(question.state)) all.push(yield* find(asking, target));
  }
  for (const find of [noAct, stageFarther, prefixGone]) all.push(yield* find(asking));
  all.push(...(yield* termsOff(asking)));
  const tried = new Set(all.flatMap((found) => found.tried ?? []));
  const list = all.flatMap(({ changed }) => (changed === null ? [] : [asking.flip(changed)]));
  return {
    target: target === null ? "Admitting nobody" : target.label,
    targetRequestId: target?.spec.requestId ?? null,
    list,
    tried: [...tried],
    asked: asking.asked,
  };
}

/** Nothing about a request helps while the queue is paused, and without room only room does. */
function helpful(state: SchedulerState) {
  if (state.isPaused) return [];
  return kvPool(state).hasRoom(state) ? [older, prefixHere, shorterAnswer, workflowEnds, moreRoom] : [moreRoom];
}
