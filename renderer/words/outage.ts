/** The steps by which a lost engine comes back, in words; nothing is promised that has not happened. */
import type { EngineOutage } from "../../core/contract/window";
import { counted, percent } from "./figures";

export interface OutageStep {
  readonly state: "done" | "now" | "to_come";
  readonly text: string;
}

const ORDER = { waiting: 0, starting: 1, loading: 2, given_up: 3 } as const;

export function outageSteps(outage: EngineOutage): readonly OutageStep[] {
  const at = ORDER[outage.phase];
  const state = (step: number): OutageStep["state"] => (at > step ? "done" : at === step ? "now" : "to_come");
  const tried = `try ${outage.attempt} of ${outage.attemptsMax}`;
  const steps: OutageStep[] = [
    { state: "done", text: `stopped: ${lowerFirst(withoutStop(outage.reason))}` },
    at === 0 ? { state: "now", text: `next ${tried}` } : { state: state(1), text: `process started, ${tried}` },
    { state: state(2), text: at === 2 ? `loading model ${percent(outage.fraction)}` : "load model" },
  ];
  if (outage.runningRequests > 0)
    steps.push({ state: "to_come", text: `resume ${counted(outage.runningRequests, "request")}` });
  return steps;
}

/** What becomes of the requests that are under way. */
export function outageOutlook({ runningRequests, waitingRequests }: EngineOutage): string {
  const running =
    runningRequests === 0
      ? null
      : runningRequests === 1
        ? "1 running request goes on after the last token it sent"
        : `${counted(runningRequests, "running request")} go on after the last token they sent`;
  const waiting =
    waitingRequests === 0
      ? null
      : waitingRequests === 1
        ? "1 waiting one keeps its place"
        : `${waitingRequests} waiting ones keep their place`;
  const parts = [running, waiting].filter((part) => part !== null);
  return parts.length === 0 ? "No request was under way." : `${parts.join(", ")}. Clients stay connected.`;
}

export function withoutStop(sentence: string): string {
  return sentence.replace(/[.\s]+$/, "");
}

function lowerFirst(text: string): string {
  // A signal's name or an abbreviation keeps its capitals.
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
