/** How fast the queue moves, from the last admissions: what a refused client is told to wait. */
import type { Milliseconds } from "../contract/ids";
import type { SchedulerState } from "./state";

const admissionsKept = 32;
/** Fewer say nothing about a rate. */
const admissionsMin = 4;

export function noteAdmission({ admissionsMs }: SchedulerState, atMs: Milliseconds): void {
  admissionsMs.push(atMs);
  if (admissionsMs.length > admissionsKept) admissionsMs.shift();
}

/** Mean time until a place in the queue is free, the time since the last one counted too; null while too little was seen. */
export function placeFreeAfterMs({ admissionsMs, nowMs }: SchedulerState): Milliseconds | null {
  const first = admissionsMs[0];
  if (first === undefined || admissionsMs.length < admissionsMin) return null;
  return (nowMs - first) / admissionsMs.length;
}
