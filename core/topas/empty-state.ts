/** The state before anything happened: no engine, no slots, no requests. */
import type { CostProfile } from "../contract/engine";
import type { PolicyName } from "../contract/policy-name";
import type { SchedulerState } from "./state";

/** Placeholder until the engine reports its own costs; nothing is decided before that. */
const unknownCosts: CostProfile = { prefillMsPerToken: 1, stepMs: [1], copyMs: 1, origin: "given" };

export function emptyState(policy: PolicyName): SchedulerState {
  return {
    nowMs: 0,
    eventNumber: 0,
    arrivals: 0,
    decisions: 0,
    batches: 0,
    steps: 0,
    policy,
    isPaused: false,
    movesUp: 0,
    pinned: new Set(),
    engine: { phase: "down", slotTokens: 0, budgetTokens: null, storeTokens: 0, costs: unknownCosts },
    slots: [],
    prefixes: new Map(),
    store: new Map(),
    storeEntries: 0,
    requests: new Map(),
    tasks: new Map(),
    workflows: new Map(),
    agentRequests: new Map(),
    taskNumbers: new Map(),
    announcedCalls: [],
    toolGapsMs: [],
    services: new Map(),
    served: new Map(),
    admissionsMs: [],
    pendingOperations: [],
    batchInFlight: null,
    meanJctMs: null,
    alarmForMs: null,
  };
}
