/** The clients of a small world: each call is sent once the answers it needs are there. One that was refused or left goes on. */
import type { Workload } from "../../../core/sim/simulate";
import type { TopasEvent } from "../../../core/topas/events";
import type { OutsideInput } from "../../../core/topas/inputs";
import { codeWorkflow, researchWorkflow } from "../../support/workloads";
import type { Call } from "./draw-calls";

export function callsWorkload(calls: readonly Call[], acts: readonly OutsideInput[] = []): Workload {
  const over = new Set<string>();
  const declared = [researchWorkflow, codeWorkflow].map((workflow): OutsideInput => {
    return { origin: "outside", kind: "workflow.declared", atMs: 0, workflow };
  });
  return {
    first: [
      ...declared,
      ...acts,
      ...calls.filter(({ after }) => after.length === 0).flatMap((call) => send(call, call.delayMs)),
    ],
    lengths: new Map(calls.map(({ request: { requestId }, outputTokens }) => [requestId, outputTokens])),
    answer(event) {
      const id = endedId(event);
      if (id === null) return [];
      over.add(id);
      const ready = calls.filter(({ after }) => after.includes(id) && after.every((one) => over.has(one)));
      return ready.flatMap((call) => send(call, event.atMs + call.delayMs));
    },
  };
}

function send({ request, cancelledAfterMs }: Call, atMs: number): OutsideInput[] {
  const submitted: OutsideInput = { origin: "outside", kind: "request.submitted", atMs, request };
  if (cancelledAfterMs === null) return [submitted];
  const reason = "The client left.";
  const { requestId } = request;
  return [
    submitted,
    { origin: "outside", kind: "request.cancelled", atMs: atMs + cancelledAfterMs, requestId, reason },
  ];
}

function endedId(event: TopasEvent): string | null {
  switch (event.kind) {
    case "request.finished":
    case "request.cancelled":
    case "request.failed":
    case "request.refused":
      return event.requestId;
    default:
      return null;
  }
}
