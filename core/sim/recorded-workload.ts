/**
 * A recorded run as a workload: the same requests with the same answers, each sent as long after the answers it waited
 * for as it was. It keeps nothing of what the engine or the clock said.
 */
import type { Milliseconds, RequestId } from "../contract/ids";
import type { TopasEvent } from "../topas/events";
import type { OutsideInput } from "../topas/inputs";
import type { RecordedRequest, RecordedRun } from "./recorded-run";
import type { Workload } from "./simulate";

export interface WorkloadChoice {
  /** Changes of policy while it ran; wanted only where the recorded policy is simulated. */
  readonly keepsPolicyChanges: boolean;
  /** Tells an offline policy the order of the recorded calls. */
  readonly announcesCalls: boolean;
}

export function recordedWorkload(run: RecordedRun, { keepsPolicyChanges, announcesCalls }: WorkloadChoice): Workload {
  const requests = [...run.requests.values()];
  const followers = new Map<RequestId, RecordedRequest[]>();
  for (const recorded of requests) {
    for (const id of recorded.after) followers.set(id, [...(followers.get(id) ?? []), recorded]);
  }
  const ended = new Set<RequestId>();
  const said = run.announcements.filter(({ kind }) => keepsPolicyChanges || kind !== "policy.chosen");
  const calls: OutsideInput = { origin: "outside", kind: "trace.announced", atMs: 0, calls: run.calls };
  return {
    first: [
      ...(announcesCalls ? [calls] : []),
      ...said,
      ...requests.filter(({ after }) => after.length === 0).flatMap((recorded) => send(recorded, recorded.atMs)),
    ],
    lengths: new Map(
      requests.flatMap(({ request, isWhole, tokens }) => (isWhole ? [[request.requestId, tokens.length]] : [])),
    ),
    tokens: new Map(requests.map(({ request, tokens }) => [request.requestId, tokens])),
    answer(event) {
      if (!isEnd(event)) return [];
      ended.add(event.requestId);
      const ready = (followers.get(event.requestId) ?? []).filter(({ after }) => after.every((id) => ended.has(id)));
      return ready.flatMap((recorded) => send(recorded, event.atMs + recorded.gapMs));
    },
  };
}

/** A client that gave up does so again after as long. */
function send({ request, atMs: recordedAtMs, cancelled }: RecordedRequest, atMs: Milliseconds): OutsideInput[] {
  const submitted: OutsideInput = { origin: "outside", kind: "request.submitted", atMs, request };
  if (cancelled === null) return [submitted];
  const { requestId } = request;
  const { reason } = cancelled;
  const cancelledAtMs = atMs + cancelled.atMs - recordedAtMs;
  return [submitted, { origin: "outside", kind: "request.cancelled", atMs: cancelledAtMs, requestId, reason }];
}

type End = Extract<TopasEvent, { kind: "request.finished" | "request.cancelled" | "request.failed" }>;

export function isEnd(event: TopasEvent): event is End {
  return event.kind === "request.finished" || event.kind === "request.cancelled" || event.kind === "request.failed";
}
