/** The ten-second answer: one sentence about this moment, chosen in a fixed order, made from data alone. */
import type { Milliseconds } from "../../core/contract/ids";
import type { AppStatus } from "../../core/contract/window";
import type { LiveView, QueueRow, RequestView } from "../../core/view/view";
import type { PolicySwitch } from "../store/live-store";
import { counted, wholeSeconds } from "./figures";
import { policyLabel } from "./policies";

export interface Tally {
  readonly running: number;
  readonly warm: number;
  readonly waiting: number;
}

export interface NowSentence {
  readonly kind: "failure" | "policy" | "paused" | "idle_slot" | "longest_wait" | "all_run" | "ready";
  readonly text: string;
}

const POLICY_SHOWN_MS = 5_000;

export function tallyOf(view: LiveView): Tally {
  const requests = Object.values(view.requests);
  const waiting = requests.filter((request) => request.phase === "waiting").length;
  const warm = view.slots.filter((slot) => slot.requestId === null && slot.heldTokens > 0).length;
  return { running: requests.length - waiting, warm, waiting };
}

export function nowSentence(
  view: LiveView,
  status: AppStatus,
  policySwitch: PolicySwitch | null,
  nowMs: Milliseconds,
): NowSentence {
  const failure = failureText(status);
  if (failure !== null) return { kind: "failure", text: failure };
  if (policySwitch !== null && nowMs - policySwitch.atMs < POLICY_SHOWN_MS) {
    const name = policyLabel(policySwitch.policy);
    return { kind: "policy", text: `${name} decides from decision ${policySwitch.fromDecision} on.` };
  }
  if (view.pausedSinceMs !== null) {
    const since = wholeSeconds(nowMs - view.pausedSinceMs);
    return { kind: "paused", text: `You paused the queue ${since} ago: what runs goes on, nobody new starts.` };
  }
  const tally = tallyOf(view);
  if (tally.waiting > 0) return idleSlot(view, tally.waiting) ?? longestWait(view, nowMs);
  if (tally.running > 0) return { kind: "all_run", text: "All agents run." };
  if (status.recording !== null) return { kind: "ready", text: "Nothing runs at this moment." };
  return { kind: "ready", text: status.url ? "Ready. Point your agents at the URL above." : "Ready." };
}

function failureText(status: AppStatus): string | null {
  if (status.serverProblem !== null) return status.serverProblem;
  if (status.demo.phase === "failed") return `The demo crew stopped: ${status.demo.message}`;
  return status.journalProblem;
}

/** A slot that does nothing while requests wait must be explained first. */
function idleSlot(view: LiveView, waiting: number): NowSentence | null {
  if (view.engine.phase === "down") return null;
  const idle = view.slots.filter((slot) => slot.requestId === null);
  const kept = idle.find((slot) => slot.keptFor !== null);
  if (kept) {
    const text = `Slot ${kept.slot} is idle on purpose: it keeps ${kept.agent ?? "a prefix"} warm for ${kept.keptFor}.`;
    return { kind: "idle_slot", text };
  }
  const held = view.queue.find((row) => row.code === "HELD_FOR_PREFIX" || row.code === "HELD_FOR_SPEED");
  if (!idle[0] || !held) return null;
  const waits = waiting === 1 ? "1 request waits" : `${counted(waiting, "request")} wait`;
  return { kind: "idle_slot", text: `Slot ${idle[0].slot} is idle while ${waits}. ${held.sentence}` };
}

function longestWait(view: LiveView, nowMs: Milliseconds): NowSentence {
  let oldest: { request: RequestView; row: QueueRow | undefined } | null = null;
  for (const request of Object.values(view.requests)) {
    if (request.phase !== "waiting" || (oldest && oldest.request.arrivedAtMs <= request.arrivedAtMs)) continue;
    oldest = { request, row: view.queue.find((row) => row.requestId === request.requestId) };
  }
  if (!oldest) return { kind: "longest_wait", text: "Requests wait." };
  const { request, row } = oldest;
  const waited = `${request.label} waits longest, ${wholeSeconds(nowMs - request.arrivedAtMs)} so far.`;
  return { kind: "longest_wait", text: row ? `${waited} ${row.sentence}` : waited };
}
