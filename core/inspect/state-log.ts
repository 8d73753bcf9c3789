/**
 * Gives back the state in which a past decision was made. It keeps a copy of the state now and then and every input since,
 * within limits; the moment itself is found by feeding those inputs again. Its owner tells it each input before it is taken.
 */
import type { SchedulerConfig } from "../topas/config";
import { copyState } from "../topas/copy-state";
import type { Decision } from "../topas/decision";
import { evolve } from "../topas/evolve";
import type { Input } from "../topas/inputs";
import { receive } from "../topas/receive";
import type { SchedulerState } from "../topas/state";

export interface StateLogLimits {
  /** Inputs after which the state is copied anew: what has to be fed again for one decision. */
  readonly inputsOfStretch: number;
  readonly inputsMax: number;
  /** Tokens of prompts and of copied slots, all together. */
  readonly tokensMax: number;
}

export const defaultStateLogLimits: StateLogLimits = { inputsOfStretch: 128, inputsMax: 60_000, tokensMax: 4_000_000 };

/** A state, and what happened from there on. */
interface Stretch {
  readonly state: SchedulerState;
  readonly inputs: Input[];
  /** Decisions made before each of the inputs. */
  readonly decisionsBefore: number[];
  tokens: number;
}

export interface DecisionMoment {
  /** Right before it was made; belongs to the caller. */
  readonly state: SchedulerState;
  readonly decision: Decision;
}

/** Which decisions can still be given back: the first and the last number. Null while there is none. */
export interface KeptDecisions {
  readonly first: number;
  readonly last: number;
}

export class StateLog {
  readonly #config: SchedulerConfig;
  readonly #limits: StateLogLimits;
  readonly #stretches: Stretch[] = [];
  #live: SchedulerState | null = null;
  #inputs = 0;
  #tokens = 0;

  constructor(config: SchedulerConfig, limits: StateLogLimits = defaultStateLogLimits) {
    this.#config = config;
    this.#limits = limits;
  }

  /** `state` as it is before the input is taken. */
  note(input: Input, state: SchedulerState): void {
    this.#live = state;
    const stretch = this.#openStretch(state);
    const tokens = input.kind === "request.submitted" ? input.request.promptTokens.length : 0;
    stretch.inputs.push(input);
    stretch.decisionsBefore.push(state.decisions);
    stretch.tokens += tokens;
    this.#tokens += tokens;
    this.#inputs += 1;
    this.#forget();
  }

  get kept(): KeptDecisions | null {
    const first = (this.#stretches[0]?.state.decisions ?? 0) + 1;
    const last = this.decisions;
    return first > last ? null : { first, last };
  }

  /** Made so far, kept or not. */
  get decisions(): number {
    return this.#live?.decisions ?? 0;
  }

  /** Null for a decision that is forgotten or was not made yet. */
  before(number: number): DecisionMoment | null {
    const { kept } = this;
    if (kept === null || number < kept.first || number > kept.last) return null;
    const stretch = this.#stretches.findLast(({ decisionsBefore }) => (decisionsBefore[0] ?? 0) < number);
    if (stretch === undefined) return null;
    const at = stretch.decisionsBefore.findLastIndex((decisions) => decisions < number);
    const state = copyState(stretch.state);
    const unexplained = { ...this.#config, candidatesKept: 0 };
    for (const input of stretch.inputs.slice(0, at)) receive(state, input, unexplained);
    const input = stretch.inputs[at];
    return input === undefined ? null : stopAtDecision(state, input, this.#config, number);
  }

  #openStretch(state: SchedulerState): Stretch {
    const last = this.#stretches.at(-1);
    if (last !== undefined && last.inputs.length < this.#limits.inputsOfStretch) return last;
    const tokens = heldTokens(state);
    const fresh: Stretch = { state: copyState(state), inputs: [], decisionsBefore: [], tokens };
    this.#stretches.push(fresh);
    this.#tokens += tokens;
    return fresh;
  }

  /** Whole stretches from the front; the one that is open stays. */
  #forget(): void {
    const { inputsMax, tokensMax } = this.#limits;
    while (this.#stretches.length > 1 && (this.#inputs > inputsMax || this.#tokens > tokensMax)) {
      const oldest = this.#stretches.shift();
      this.#inputs -= oldest?.inputs.length ?? 0;
      this.#tokens -= oldest?.tokens ?? 0;
    }
  }
}

/** `state` is the one before the input; an input may cause several decisions, each in the state the one before left. */
function stopAtDecision(
  state: SchedulerState,
  input: Input,
  config: SchedulerConfig,
  number: number,
): DecisionMoment | null {
  const { events } = receive(copyState(state), input, config);
  state.nowMs = Math.max(state.nowMs, input.atMs);
  for (const event of events) {
    if (event.kind === "decision.made" && event.decision.number === number) return { state, decision: event.decision };
    evolve(state, event);
  }
  return null;
}

function heldTokens(state: SchedulerState): number {
  let tokens = 0;
  for (const slot of state.slots) tokens += slot.tokens.length;
  for (const { generated } of state.requests.values()) tokens += generated.length;
  return tokens;
}
