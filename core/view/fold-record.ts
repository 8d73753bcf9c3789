/** Keeps the records of requests up to date, one event at a time. The map belongs to the caller; only this file writes to it. */
import type { RequestId } from "../contract/ids";
import type { Decision } from "../topas/decision";
import type { TopasEvent } from "../topas/events";
import type { RequestOutcome, RequestRecord, WaitSpan } from "./request-record";

type Records = Map<RequestId, RequestRecord>;

/** Records kept, oldest dropped first; stretches of waiting kept of one request. */
export interface RecordLimits {
  readonly recordsMax: number;
  readonly waitSpansMax: number;
}

export const defaultRecordLimits: RecordLimits = { recordsMax: 1000, waitSpansMax: 64 };

export function foldRecord(records: Records, event: TopasEvent, limits: RecordLimits = defaultRecordLimits): void {
  const change = (id: RequestId, to: (record: RequestRecord) => Partial<RequestRecord>) => {
    const record = records.get(id);
    if (record !== undefined) records.set(id, { ...record, ...to(record) });
  };
  switch (event.kind) {
    case "request.arrived":
      records.set(event.request.requestId, newRecord(event));
      dropOldest(records, limits.recordsMax);
      return;
    case "decision.made":
      return foldDecision(records, event.decision, limits.waitSpansMax);
    case "request.admitted":
      return change(event.requestId, (record) => admit(record, event));
    case "request.preempted":
      return change(event.requestId, () => ({ outcome: "waiting", slot: null }));
    case "request.requeued":
      return change(event.requestId, (record) => ({ outcome: "waiting", slot: null, restarts: record.restarts + 1 }));
    case "batch.started":
      for (const work of event.batch.work) {
        change(work.requestId, (record) => {
          const fromPrompt = Math.max(0, Math.min(work.tokens.length, record.promptTokens - work.position));
          return fromPrompt === 0 ? {} : { computedTokens: record.computedTokens + fromPrompt };
        });
      }
      return;
    case "batch.stepped":
    case "batch.finished":
      for (const answer of event.answers) {
        change(answer.requestId, (record) => ({
          generatedTokens: record.generatedTokens + 1,
          firstTokenAtMs: record.firstTokenAtMs ?? event.atMs,
        }));
      }
      return;
    case "request.finished":
      return change(event.requestId, (record) => end(record, "finished", event.reason, event.atMs));
    case "request.cancelled":
      return change(event.requestId, (record) => end(record, "cancelled", event.reason, event.atMs));
    case "request.failed":
      return change(event.requestId, (record) => end(record, "failed", event.message, event.atMs));
    case "engine.lost":
      for (const record of records.values())
        if (record.outcome === "waiting") change(record.requestId, () => waitForEngine(record, event.atMs));
      return;
    default:
      return;
  }
}

function newRecord(event: Extract<TopasEvent, { kind: "request.arrived" }>): RequestRecord {
  const { requestId, agent, taskId, workflowId, stageId, promptTokens } = event.request;
  return {
    requestId,
    label: event.label,
    agent,
    taskId,
    workflowId,
    stageId,
    priority: event.request.priority ?? "normal",
    outcome: "waiting",
    ending: null,
    arrivedAtMs: event.atMs,
    admittedAtMs: null,
    firstTokenAtMs: null,
    endedAtMs: null,
    slot: null,
    promptTokens: promptTokens.length,
    reusedTokens: 0,
    forkedTokens: 0,
    forkedFromSlot: null,
    computedTokens: 0,
    generatedTokens: 0,
    restarts: 0,
    waits: [],
    admittedBecause: null,
  };
}

function foldDecision(records: Records, decision: Decision, spansMax: number): void {
  const winner = decision.candidates[0]?.action;
  if (winner?.kind === "admit") {
    const record = records.get(winner.requestId);
    if (record !== undefined) records.set(winner.requestId, { ...record, admittedBecause: decision.verdict });
  }
  for (const wait of decision.waits) {
    const record = records.get(wait.requestId);
    if (record === undefined) continue;
    const last = record.waits.at(-1);
    if (last !== undefined && last.toMs === null && last.code === wait.code && last.sentence === wait.sentence)
      continue;
    const span: WaitSpan = {
      fromMs: decision.atMs,
      toMs: null,
      code: wait.code,
      sentence: wait.sentence,
      decision: decision.number,
    };
    records.set(wait.requestId, {
      ...record,
      waits: [...closeLast(record.waits, decision.atMs), span].slice(-spansMax),
    });
  }
}

function admit(
  record: RequestRecord,
  event: Extract<TopasEvent, { kind: "request.admitted" }>,
): Partial<RequestRecord> {
  const { source, slot, atMs } = event;
  const running = { outcome: "running", slot, waits: closeLast(record.waits, atMs) } as const;
  // After a restart it finds nothing; what it was spared at first is what its client is told.
  if (record.admittedAtMs !== null) return running;
  return {
    ...running,
    admittedAtMs: atMs,
    reusedTokens: source.kind === "in_place" ? source.tokens : 0,
    forkedTokens: source.kind === "fork" || source.kind === "restore" ? source.tokens : 0,
    forkedFromSlot: source.kind === "fork" ? source.from : null,
  };
}

function end(record: RequestRecord, outcome: RequestOutcome, ending: string, atMs: number): Partial<RequestRecord> {
  return { outcome, ending, endedAtMs: atMs, waits: closeLast(record.waits, atMs) };
}

function waitForEngine(record: RequestRecord, atMs: number): Partial<RequestRecord> {
  const span: WaitSpan = {
    fromMs: atMs,
    toMs: null,
    code: "ENGINE_RESTARTING",
    sentence: "Waits for the engine, keeps its place and its age.",
    decision: record.waits.at(-1)?.decision ?? 0,
  };
  return { waits: [...closeLast(record.waits, atMs), span] };
}

function closeLast(waits: readonly WaitSpan[], atMs: number): WaitSpan[] {
  return waits.map((span) => (span.toMs === null ? { ...span, toMs: atMs } : span));
}

function dropOldest(records: Records, recordsMax: number): void {
  for (const [id, record] of records) {
    if (records.size <= recordsMax) return;
    if (record.outcome !== "waiting" && record.outcome !== "running") records.delete(id);
  }
}
