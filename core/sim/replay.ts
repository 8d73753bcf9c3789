/**
 * Feeds recorded inputs again. With the same policy and configuration the events are the recorded ones, number by number;
 * `ExactReplay` says where they are not. Neither reads anything but what it is given.
 */
import type { PolicyName } from "../contract/policy-name";
import type { SchedulerConfig } from "../topas/config";
import { emptyState } from "../topas/empty-state";
import type { TopasEvent } from "../topas/events";
import type { Input } from "../topas/inputs";
import { receive } from "../topas/receive";
import type { SchedulerState } from "../topas/state";
import { sameValue } from "./same-value";

export interface Recording {
  readonly policy: PolicyName;
  readonly config: SchedulerConfig;
  readonly inputs: readonly Input[];
}

export function replay({ policy, config, inputs }: Recording): TopasEvent[] {
  const state = emptyState(policy);
  return inputs.flatMap((input) => receive(state, input, config).events);
}

/** The first place where a recording and its replay part. Null: the one side has no event there. */
export interface Difference {
  readonly eventNumber: number;
  readonly recorded: TopasEvent | null;
  readonly replayed: TopasEvent | null;
}

/** Takes a recording piece by piece, in its order, so that it need not fit in memory. Of no use after a difference. */
export class ExactReplay {
  readonly #state: SchedulerState;
  readonly #config: SchedulerConfig;
  /** Events of the last input that the recording has not named yet. */
  #expected: readonly TopasEvent[] = [];
  #next = 0;

  constructor(policy: PolicyName, config: SchedulerConfig) {
    this.#state = emptyState(policy);
    this.#config = config;
  }

  /** How many events the last input still has to be followed by. */
  get missingEvents(): number {
    return this.#expected.length - this.#next;
  }

  input(input: Input): Difference | null {
    const left = this.#expected[this.#next];
    if (left !== undefined) return { eventNumber: left.number, recorded: null, replayed: asRecorded(left) };
    this.#expected = receive(this.#state, input, this.#config).events;
    this.#next = 0;
    return null;
  }

  event(recorded: TopasEvent): Difference | null {
    const event = this.#expected[this.#next];
    this.#next += 1;
    if (event === undefined) return { eventNumber: recorded.number, recorded, replayed: null };
    if (sameValue(event, recorded)) return null;
    const replayed = asRecorded(event);
    return sameValue(replayed, recorded) ? null : { eventNumber: event.number, recorded, replayed };
  }
}

/** A recording is JSON: it has no undefined and no infinite numbers. */
function asRecorded(event: TopasEvent): TopasEvent {
  return JSON.parse(JSON.stringify(event));
}
