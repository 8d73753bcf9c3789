/** One readable sentence or two on what happened to a request. */
import type { RequestRecord, WaitSpan } from "../../core/view/request-record";

export function explainSummary(record: RequestRecord, waitedMs: number): string {
  return [waiting(record, waitedMs), prompt(record), restarts(record), ending(record)]
    .filter((part) => part !== "")
    .join(" ");
}

function waiting(record: RequestRecord, waitedMs: number): string {
  const longest = record.waits.reduce<WaitSpan | null>(
    (best, wait) => (best && length(best) >= length(wait) ? best : wait),
    null,
  );
  const reason = longest ? ` (${longest.sentence.replace(/\.$/, "")})` : "";
  switch (record.outcome) {
    case "waiting":
      return `It has waited ${seconds(waitedMs)} so far${reason}.`;
    case "running":
    case "finished":
    case "cancelled":
    case "failed":
      if (record.admittedAtMs === null) return `It waited ${seconds(waitedMs)} and never ran${reason}.`;
      return waitedMs < 1 ? "It ran at once." : `It waited ${seconds(waitedMs)}${reason}.`;
    default:
      return record.outcome satisfies never;
  }
}

/** Only a span that has ended has a length; the open one is the newest and wins with infinity. */
function length({ fromMs, toMs }: WaitSpan): number {
  return (toMs ?? Number.POSITIVE_INFINITY) - fromMs;
}

function prompt(record: RequestRecord): string {
  if (record.admittedAtMs === null) return "";
  const parts = [
    ...(record.reusedTokens > 0 ? [`${record.reusedTokens} were reused in place`] : []),
    ...(record.forkedTokens > 0 ? [`${record.forkedTokens} were forked${fromSlot(record)}`] : []),
    `${record.computedTokens} were computed${record.restarts > 0 ? " (again after a restart)" : ""}`,
  ];
  const place = record.slot === null ? "" : ` in slot ${record.slot}`;
  return `Of ${record.promptTokens} prompt tokens ${joined(parts)}${place}.`;
}

function fromSlot({ forkedFromSlot }: RequestRecord): string {
  return forkedFromSlot === null ? "" : ` from slot ${forkedFromSlot}`;
}

function restarts(record: RequestRecord): string {
  if (record.restarts === 0) return "";
  return `The engine was restarted under it ${record.restarts === 1 ? "once" : `${record.restarts} times`}.`;
}

function ending(record: RequestRecord): string {
  const { outcome, firstTokenAtMs, arrivedAtMs, endedAtMs, generatedTokens } = record;
  if (outcome === "waiting") return "";
  const first = firstTokenAtMs === null ? "" : `The first token came after ${seconds(firstTokenAtMs - arrivedAtMs)}. `;
  if (endedAtMs === null) return `${first}${generatedTokens} tokens are generated so far.`;
  const how = outcome === "finished" ? "It ended" : outcome === "cancelled" ? "It was cancelled" : "It failed";
  const why = record.ending === null ? "" : ` (${record.ending.replace(/\.$/, "")})`;
  return `${first}${how}${why} after ${seconds(endedAtMs - arrivedAtMs)} with ${generatedTokens} tokens generated.`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
