/** The inspector's words. Every figure in them is one of the inspection's own. */
import type { Milliseconds, RequestId } from "../contract/ids";
import type { Action, DecisionTrigger, Kept, Terms } from "../topas/decision";
import type { SchedulerState } from "../topas/state";

const causes: Readonly<Record<DecisionTrigger, string>> = {
  arrival: "a request arrived",
  completion: "a request ended",
  cancellation: "a request was cancelled",
  failure: "a request failed",
  engine_ready: "the engine became ready",
  policy: "the policy was changed",
  user: "of what you did to the queue",
  step: "requests waited beside a free slot while others went on",
};

export function causeOf(trigger: DecisionTrigger): string {
  return `because ${causes[trigger]}`;
}

export function labelOf(state: SchedulerState, requestId: RequestId): string {
  return state.requests.get(requestId)?.label ?? requestId;
}

/** As it reads in a list of candidates. */
export function actionWords(state: SchedulerState, action: Action, kept: Kept | null): string {
  switch (action.kind) {
    case "admit": {
      const goes = action.evicts.length === 0 ? "" : `, evict ${action.evicts.join(" and ")}`;
      return `${labelOf(state, action.requestId)} to slot ${action.slot}${goes}`;
    }
    case "preempt":
      return `Park ${labelOf(state, action.requestId)} of slot ${action.slot}`;
    case "hold":
      return kept === null ? "Admit nobody" : `Keep ${kept.agent} in slot ${kept.slot}, admit nobody`;
    default:
      return action satisfies never;
  }
}

/** As it reads in the middle of a sentence. */
export function actName(state: SchedulerState, action: Action): string {
  if (action.kind === "hold") return "admitting nobody";
  const label = labelOf(state, action.requestId);
  return action.kind === "admit" ? label : `parking ${label}`;
}

export const termWords: Readonly<Record<keyof Terms, string>> = {
  progress: "progress",
  age: "age",
  priority: "priority",
  fairness: "fairness",
  move: "move",
  slow: "slowing others down",
  reuse: "reuse",
  preempt: "parking",
};

/** "+1,920 ms", "−3 ms", "0 ms" */
export function signedMs(ms: Milliseconds): string {
  const digits = Math.abs(ms).toLocaleString("en-US", { maximumFractionDigits: 3 });
  return ms === 0 ? "0 ms" : `${ms > 0 ? "+" : "−"}${digits} ms`;
}

export function plainMs(ms: Milliseconds): string {
  return `${Math.abs(ms).toLocaleString("en-US", { maximumFractionDigits: 3 })} ms`;
}

/** "6.9 s", "310 ms" */
export function spanWords(ms: Milliseconds): string {
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** "1,210" */
export function count(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
