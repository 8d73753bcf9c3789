/** About how much memory an event or a view takes, for limits. Counting exactly would cost more than folding does. */
import type { LiveView } from "./view";
import type { ViewEvent } from "./view-event";

const baseBytes = 160;
const nameBytes = 56;
/** A candidate with its action and terms; a waiting request with its sentence. */
const candidateBytes = 400;
const waitBytes = 400;

export function eventBytes(event: ViewEvent): number {
  switch (event.kind) {
    case "decision.made": {
      const { candidates, waits, verdict } = event.decision;
      return baseBytes + candidates.length * candidateBytes + waits.length * waitBytes + verdict.length;
    }
    case "batch.started":
      return baseBytes + event.work.length * 2 * nameBytes;
    case "batch.stepped":
    case "batch.finished":
      return baseBytes + (event.drawn.length + event.failedRequests.length) * nameBytes;
    case "request.arrived":
      return baseBytes + 8 * nameBytes;
    case "workflow.declared":
      return baseBytes + event.workflow.stages.length * 4 * nameBytes;
    default:
      return baseBytes + nameBytes;
  }
}

/** A keyframe shares with its neighbours what did not change; its lists of requests, rows and tasks are its own. */
export function keyframeBytes(view: LiveView): number {
  const running = view.slots.length;
  return (
    2_000 + Object.keys(view.requests).length * nameBytes + running * 3 * nameBytes + view.tasks.length * nameBytes
  );
}
