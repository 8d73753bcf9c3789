/** A request gets a slot: its prefix is brought there from the cheapest source, and what has to go is saved or dropped. */
import type { SequenceOperation } from "../contract/engine";
import type { AgentId } from "../contract/ids";
import type { PrefixSource } from "./decision";
import type { EventBody } from "./events";
import { noteAdmission } from "./queue-rate";
import type { RequestState, SchedulerState, SlotState } from "./state";
import { storeSequence, touchStored } from "./store";

type Admitted = Extract<EventBody, { kind: "request.admitted" }> & { readonly atMs: number };

export function evolveAdmission(state: SchedulerState, event: Admitted): void {
  const request = state.requests.get(event.requestId);
  const slot = state.slots[event.slot];
  if (!request || !slot) throw new Error(`Request ${event.requestId} cannot be admitted to slot ${event.slot}.`);
  if (state.engine.budgetTokens === null) bringIntoSlot(state, slot, event.source);
  else bringIntoPool(state, slot, request, event.source, event.evicts);
  const task = state.tasks.get(request.spec.taskId);
  if (task) task.waitedMs += event.atMs - request.waitingSinceMs;
  slot.requestId = request.spec.requestId;
  slot.agent = request.spec.agent;
  slot.prefixTokens = request.spec.prefixTokens;
  request.slot = event.slot;
  request.admittedAtMs = event.atMs;
  noteAdmission(state, event.atMs);
}

/**
 * in place:  slot  [ reused | old tail ]  -> cut -> [ reused ]
 * fork:      from  [ reused | its tail ]  -> copy whole -> cut -> slot [ reused ]
 * restore:   store [ reused | its tail ]  -> restore whole -> cut -> slot [ reused ]
 * prefill:   slot  [ old ]                -> cut -> [ ]
 * With a warm store, what the slot loses is saved first.
 */
function bringIntoSlot(state: SchedulerState, slot: SlotState, source: PrefixSource): void {
  if (slot.tokens.length > source.tokens || source.kind !== "in_place") saveSlot(state, slot, source);
  switch (source.kind) {
    case "fork": {
      const from = state.slots[source.from];
      if (!from) throw new Error(`There is no slot ${source.from} to fork from.`);
      operate(state, { kind: "copy", from: source.from, to: slot.slot });
      slot.tokens = from.tokens.slice(0, source.tokens);
      break;
    }
    case "restore": {
      const stored = touchStored(state, source.entry);
      operate(state, { kind: "restore", slot: slot.slot, entry: source.entry, tokens: stored.tokens.length });
      slot.tokens = stored.tokens.slice(0, source.tokens);
      break;
    }
    case "in_place":
    case "prefill":
      if (slot.tokens.length <= source.tokens) return;
      slot.tokens = slot.tokens.slice(0, source.tokens);
      break;
    default:
      source satisfies never;
  }
  operate(state, { kind: "cut", slot: slot.slot, length: source.tokens });
}

function saveSlot(state: SchedulerState, slot: SlotState, source: PrefixSource): void {
  const { agent, tokens, prefixTokens } = slot;
  if (agent !== null) storeSequence(state, { agent, tokens, prefixTokens }, slot.slot, entryOf(source));
}

function entryOf(source: PrefixSource): number | null {
  return source.kind === "restore" ? source.entry : null;
}

/**
 * pool:  [ prefix of a | prefix of b | tail of r1 | tail of r2 | free ]
 * A slot stands for a request's own tokens; it begins with the part of the shared prefix that is evaluated.
 */
function bringIntoPool(
  state: SchedulerState,
  slot: SlotState,
  request: RequestState,
  source: PrefixSource,
  evicts: readonly AgentId[],
): void {
  for (const agent of evicts) dropPrefix(state, agent, source);
  const { agent, prefixTokens, promptTokens } = request.spec;
  const known = state.prefixes.get(agent);
  const sequence = [...promptTokens, ...request.generated];
  slot.tokens = sequence.slice(0, source.kind === "restore" ? source.tokens : (known?.readyTokens ?? source.tokens));
  if (source.kind === "restore") {
    const { tokens } = touchStored(state, source.entry);
    operate(state, { kind: "restore", slot: null, entry: source.entry, tokens: tokens.length });
  }
  if (prefixTokens === 0) return;
  if (known === undefined) {
    const tokens = promptTokens.slice(0, prefixTokens);
    const readyTokens = Math.min(source.tokens, prefixTokens);
    state.prefixes.set(agent, { agent, tokens, readyTokens, lastUsedAtMs: state.nowMs });
  } else {
    known.lastUsedAtMs = state.nowMs;
  }
}

function dropPrefix(state: SchedulerState, agent: AgentId, source: PrefixSource): void {
  const prefix = state.prefixes.get(agent);
  if (prefix === undefined) return;
  if (prefix.readyTokens === prefix.tokens.length) {
    storeSequence(state, { agent, tokens: prefix.tokens, prefixTokens: prefix.tokens.length }, null, entryOf(source));
  }
  state.prefixes.delete(agent);
}

function operate(state: SchedulerState, operation: SequenceOperation): void {
  state.pendingOperations.push(operation);
}
