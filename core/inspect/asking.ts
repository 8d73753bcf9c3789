/**
 * One decision put to the planner again and again, each time with one thing changed. It works in steps, because asking takes
 * time: it yields before each question, so that a server can do something else between two of them.
 */
import type { SchedulerConfig } from "../topas/config";
import type { RequestState, SchedulerState } from "../topas/state";
import { ask, winnerOf } from "./ask";
import type { ChangeKind, Flip } from "./inspection";
import { moved, type Scored } from "./moved-term";

export type Steps<Result> = Generator<void, Result>;

export interface Question {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  /** Who should win instead; null: nobody should be admitted. */
  readonly target: RequestState | null;
  readonly targetScored: Scored | null;
  readonly winnerScored: Scored;
  /** Agent whose warm prefix the winner uses or keeps; null if it needs none. */
  readonly winnersAgent: string | null;
}

export interface Changed {
  readonly kind: ChangeKind;
  readonly state: SchedulerState;
  readonly config?: SchedulerConfig;
  /** Reads after "coder#2 would have won if". */
  readonly sentence: string;
  /** The changed value, where it is a number. */
  readonly from?: number;
  readonly to?: number;
}

export interface Found {
  /** Null where the change makes no sense for this decision. */
  readonly tried: ChangeKind | null;
  /** Null where it does not turn the decision. */
  readonly changed: Changed | null;
}

export const senseless: Found = { tried: null, changed: null };

export class Asking {
  asked = 0;

  constructor(readonly question: Question) {}

  /** Without explanations, which do not bear on who wins. */
  *wins({ state, config }: Pick<Changed, "state" | "config">): Steps<boolean> {
    yield;
    this.asked += 1;
    const { action } = winnerOf(ask(state, { ...(config ?? this.question.config), candidatesKept: 0 }));
    const { target } = this.question;
    if (target === null) return action.kind === "hold";
    return action.kind === "admit" && action.requestId === target.spec.requestId;
  }

  *tryOne(changed: Changed): Steps<Found> {
    return { tried: changed.kind, changed: (yield* this.wins(changed)) ? changed : null };
  }

  /** Asked once more, with all candidates: their terms say how it came. */
  flip({ kind, state, config, sentence, from, to }: Changed): Flip {
    this.asked += 1;
    const choice = ask(state, config ?? this.question.config);
    const movedTerm = moved(this.question, choice.candidates);
    return { change: kind, sentence, from: from ?? null, to: to ?? null, moved: movedTerm };
  }
}

/** Doubles until it wins, then halves the gap: the result wins, a step less does not. Null if not even `last` wins. */
export function* leastThatWins(
  step: number,
  last: number,
  wins: (value: number) => Steps<boolean>,
): Steps<number | null> {
  let low = 0;
  let high = step;
  while (!(yield* wins(high))) {
    if (high >= last) return null;
    low = high;
    high = Math.min(last, high * 2);
  }
  while (high - low > step) {
    const middle = low + Math.ceil((high - low) / 2 / step) * step;
    if (middle >= high) break;
    if (yield* wins(middle)) high = middle;
    else low = middle;
  }
  return high;
}
