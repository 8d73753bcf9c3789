/** Moves the scheduler by hand: a test says what happens and looks at what it did. */
import { isLastStep } from "../../core/contract/batch-steps";
import type { CostProfile } from "../../core/contract/engine";
import type { PolicyName } from "../../core/contract/policy-name";
import { simulateStep } from "../../core/sim/simulated-engine";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import type { TopasEvent } from "../../core/topas/events";
import type { Input, RequestSpec } from "../../core/topas/inputs";
import { receive } from "../../core/topas/receive";
import type { Workflow } from "../../core/topas/workflow";
import { request, smallCpuCosts } from "./workloads";

interface Setup {
  readonly policy?: PolicyName;
  readonly slots?: number;
  readonly slotTokens?: number;
  readonly costs?: CostProfile;
  readonly budgetTokens?: number;
  readonly storeTokens?: number;
  readonly config?: Partial<SchedulerConfig>;
}

export class HandDrivenScheduler {
  readonly state;
  readonly events: TopasEvent[] = [];
  atMs = 0;
  private readonly config: SchedulerConfig;
  private readonly costs: CostProfile;
  private readonly lengths = new Map<string, number>();
  private readonly generated = new Map<string, number>();

  constructor({
    policy = "topas",
    slots = 2,
    slotTokens = 2048,
    costs = smallCpuCosts,
    config = {},
    ...pool
  }: Setup = {}) {
    this.state = emptyState(policy);
    this.config = { ...defaultConfig, ...config };
    this.costs = costs;
    this.take({ origin: "engine", kind: "engine.ready", atMs: 0, slots, slotTokens, ...pool, costs });
  }

  take(input: Input): readonly TopasEvent[] {
    const { events } = receive(this.state, input, this.config);
    this.events.push(...events);
    return events;
  }

  declare(workflow: Workflow): void {
    this.take({ origin: "outside", kind: "workflow.declared", atMs: this.atMs, workflow });
  }

  /** `output` = tokens it will generate before it ends by itself. */
  submit(requestId: string, change: Partial<RequestSpec> = {}, output = 1_000): readonly TopasEvent[] {
    this.lengths.set(requestId, output);
    return this.take({
      origin: "outside",
      kind: "request.submitted",
      atMs: this.atMs,
      request: request(requestId, change),
    });
  }

  cancel(requestId: string): readonly TopasEvent[] {
    return this.take({
      origin: "outside",
      kind: "request.cancelled",
      atMs: this.atMs,
      requestId,
      reason: "client left",
    });
  }

  /** Finishes the step under way. */
  step(): readonly TopasEvent[] {
    const batch = this.state.batchInFlight;
    if (batch === null) return [];
    const result = simulateStep(batch, this.costs, this.lengths, this.generated);
    this.atMs += result.durationMs;
    const kind = isLastStep(batch, result) ? "batch.finished" : "batch.stepped";
    return this.take({ origin: "engine", kind, atMs: this.atMs, result });
  }

  /** Steps until `done` or until nothing is under way. */
  stepUntil(done: () => boolean): void {
    for (let steps = 0; steps < 10_000 && !done() && this.state.batchInFlight !== null; steps += 1) this.step();
  }

  /** Tokens drawn so far, all requests together. */
  drawn(): number {
    return [...this.of("batch.stepped"), ...this.of("batch.finished")].flatMap(({ answers }) => answers).length;
  }

  isRunning(requestId: string): boolean {
    return (this.state.requests.get(requestId)?.slot ?? null) !== null;
  }

  isOver(requestId: string): boolean {
    return !this.state.requests.has(requestId);
  }

  lastDecision() {
    return this.of("decision.made").at(-1)?.decision;
  }

  of<Kind extends TopasEvent["kind"]>(kind: Kind): Extract<TopasEvent, { kind: Kind }>[] {
    return this.events.filter((event): event is Extract<TopasEvent, { kind: Kind }> => event.kind === kind);
  }
}

/** Tokens that belong to one agent or text and to no other. */
export function tokensOf(kind: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => kind * 10_000 + at);
}
