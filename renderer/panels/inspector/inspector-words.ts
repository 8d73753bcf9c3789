/** The inspector's figures and sentences as people read them; every number in them is one of the inspection's own. */
import type { Expectation, Flip, Inspection, InspectionResult, OtherChoice } from "../../../core/inspect/inspection";
import type { Terms } from "../../../core/topas/decision";
import { count, counted, duration, listed } from "../../words/figures";
import { policyLabel } from "../../words/policies";

export const TERMS: readonly { readonly term: keyof Terms; readonly title: string; readonly says: string }[] = [
  { term: "progress", title: "Progress", says: "How much sooner tasks can end" },
  { term: "age", title: "Age", says: "What waiting adds" },
  { term: "priority", title: "Priority", says: "What its priority class adds" },
  { term: "fairness", title: "Fairness", says: "What its client had less of, or more" },
  { term: "move", title: "Move", says: "Minus the time to bring prefixes in" },
  { term: "slow", title: "Slow", says: "Minus what longer steps cost the others" },
  { term: "reuse", title: "Reuse", says: "What stays warm for those that come next" },
  { term: "preempt", title: "Preempt", says: "Minus what parking a request costs" },
];

/** Always there, so that columns seldom come and go; the others only where one of the candidates has something in them. */
const ALWAYS: readonly (keyof Terms)[] = ["progress", "age", "move", "reuse"];

export function shownTerms({ candidates }: Pick<Inspection, "candidates">): typeof TERMS {
  const isUsed = (term: keyof Terms) => candidates.some(({ termsMs }) => termsMs[term] !== 0);
  return TERMS.filter(({ term }) => ALWAYS.includes(term) || isUsed(term));
}

const signed = new Intl.NumberFormat("en-US", { signDisplay: "exceptZero", maximumFractionDigits: 3 });

/** "+1,920", "−930", "–" for nothing */
export function signedFigure(ms: number): string {
  return ms === 0 ? "–" : signed.format(ms).replace("-", "−");
}

/** A score or a margin is never left out: zero is "0". */
export function scoreFigure(ms: number): string {
  return ms === 0 ? "0" : signedFigure(ms);
}

/** The verdict's first clause stands large, the rest below it. */
export function verdictParts(verdict: string): readonly [string, string | null] {
  const at = verdict.indexOf(": ");
  if (at < 0) return [verdict, null];
  const rest = verdict.slice(at + 2);
  return [`${verdict.slice(0, at)}.`, rest.charAt(0).toUpperCase() + rest.slice(1)];
}

/** "Beat coder#2 by 246 ms. 6 candidates." */
export function marginLine({ candidates, marginMs, decided }: Inspection): string {
  const number = `${counted(candidates.length, "candidate")}.`;
  const runnerUp = candidates[1];
  if (decided.kind !== "term" || marginMs === null || runnerUp === undefined) return number;
  const whom = runnerUp.label ?? "admitting nobody";
  const by = `${count2(Math.abs(marginMs))} ms`;
  return marginMs < 0 ? `${whom} scored ${by} more but had no room. ${number}` : `Beat ${whom} by ${by}. ${number}`;
}

function count2(ms: number): string {
  return ms.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** "FCFS and LPM would have done the same." One sentence for each different choice. */
export function othersLines(others: readonly OtherChoice[]): readonly string[] {
  const byChoice = new Map<string, string[]>();
  for (const { policy, isSame, words } of others) {
    const choice = isSame ? "done the same" : chosenWords(words);
    byChoice.set(choice, [...(byChoice.get(choice) ?? []), policyLabel(policy)]);
  }
  return [...byChoice].map(([choice, policies]) => `${listed(policies)} would have ${choice} here.`);
}

function chosenWords(words: string): string {
  const isAdmission = / to slot \d/.test(words);
  if (isAdmission) return `admitted ${words.replace(", evict ", ", evicting ")}`;
  const [verb, ...rest] = words.split(" ");
  const past: Readonly<Record<string, string>> = { Admit: "admitted", Keep: "kept", Park: "parked" };
  return `${past[verb ?? ""] ?? verb} ${rest.join(" ").replace("admit nobody", "admitting nobody")}`;
}

/** "age +440, not +194" */
export function movedWords({ moved }: Flip): string | null {
  if (moved === null) return null;
  const title = TERMS.find(({ term }) => term === moved.term)?.title.toLowerCase();
  return `${title} ${scoreFigure(moved.toMs)}, not ${scoreFigure(moved.fromMs)}`;
}

export function predictedText({ unit, predicted }: Expectation): string {
  return unit === "ms" ? duration(predicted) : count(predicted);
}

export function happenedText({ unit, happened, state }: Expectation): string {
  if (happened !== null) return unit === "ms" ? duration(happened) : count(happened);
  return state === "open" ? "not yet" : "never";
}

/** Why there is nothing to inspect. */
export function missingText(decision: number, result: Exclude<InspectionResult, { kind: "found" }>): string {
  switch (result.kind) {
    case "forgotten": {
      const { firstKept, lastKept } = result;
      const kept = firstKept > lastKept ? "None is kept." : `${count(firstKept)} to ${count(lastKept)} are kept.`;
      return `Decision ${count(decision)} is too old to be taken apart. ${kept}`;
    }
    case "not_made":
      return `Decision ${count(decision)} has not been made: there were ${count(result.decisions)} so far.`;
    case "failed":
      return `Decision ${count(decision)} cannot be inspected: ${result.message}`;
    default:
      return result satisfies never;
  }
}
