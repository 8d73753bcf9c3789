/** What the user of a small world does to its queue: pauses that end, requests moved up and back, pins that come and go. */
import type { Random } from "../../../core/sim/random";
import type { OutsideInput } from "../../../core/topas/inputs";
import { type Call, pick } from "./draw-calls";

export function drawActs(random: Random, calls: readonly Call[]): readonly OutsideInput[] {
  const count = random.between(1, 8);
  return Array.from({ length: count }, () => drawAct(random, calls)).flat();
}

/** Some make no sense when they come: they are to be refused. */
function drawAct(random: Random, calls: readonly Call[]): OutsideInput[] {
  const atMs = random.between(0, 4000);
  const laterMs = atMs + random.between(0, 2000);
  const { requestId, agent } = pick(random, calls).request;
  const outside = { origin: "outside" } as const;
  switch (pick(random, ["pause", "move", "move and undo", "pin", "pin and unpin"] as const)) {
    case "pause":
      return [
        { ...outside, kind: "queue.paused", atMs },
        { ...outside, kind: "queue.resumed", atMs: laterMs },
      ];
    case "move":
      return [{ ...outside, kind: "request.moved_up", atMs, requestId }];
    case "move and undo":
      return [
        { ...outside, kind: "request.moved_up", atMs, requestId },
        { ...outside, kind: "request.move_undone", atMs: laterMs, requestId },
      ];
    case "pin":
      return [{ ...outside, kind: "prefix.pinned", atMs, agent }];
    case "pin and unpin":
      return [
        { ...outside, kind: "prefix.pinned", atMs, agent },
        { ...outside, kind: "prefix.unpinned", atMs: laterMs, agent },
      ];
  }
}
