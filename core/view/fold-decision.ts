/** A decision that ends its round orders the queue anew and says for whom idle slots are kept. */
import type { Decision } from "../topas/decision";
import type { LiveView, QueueRow } from "./view";

export function foldDecision(view: LiveView, decision: Decision): LiveView {
  const totals = { ...view.totals, decisions: view.totals.decisions + 1 };
  const counted = { ...view, lastDecision: decision, totals };
  if (decision.candidates[0]?.action.kind === "admit") return counted;
  const formerPlaces = new Map(view.queue.map((row) => [row.requestId, row.place]));
  const queue = decision.waits.map((wait): QueueRow => {
    const former = formerPlaces.get(wait.requestId);
    const { requestId, place, score, reuse, sentence, code } = wait;
    const formerPlace = former === undefined || former === place ? null : former;
    return { requestId, place, formerPlace, score, reuse, sentence, code, decision: decision.number };
  });
  const kept = decision.kept;
  const slots = view.slots.map((slot) => {
    const keptFor = kept?.slot === slot.slot ? kept.forWhom : null;
    return slot.keptFor === keptFor ? slot : { ...slot, keptFor };
  });
  return { ...counted, queue, slots };
}

/** The slots stay as they were, so that the window can show what has to come back; whoever waits now waits for the engine. */
export function foldEngineLost(view: LiveView, reason: string): LiveView {
  const queue = view.queue.map(
    (row): QueueRow => ({
      ...row,
      code: "ENGINE_RESTARTING",
      sentence: `Waits for the engine, keeps place ${row.place} and its age.`,
    }),
  );
  return { ...view, engine: { ...view.engine, phase: "down", lostReason: reason }, queue, underWay: [] };
}
