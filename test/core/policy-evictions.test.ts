/** Which content each baseline gives up or keeps, by the rule that makes it itself. */
import { expect, it } from "vitest";
import { stepsToExecution } from "../../core/policies/kvflow";
import { timeToLive } from "../../core/policies/time-to-live";
import type { RequestSpec } from "../../core/topas/inputs";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";
import { codeWorkflow, researchWorkflow, smallCpuCosts } from "../support/workloads";

const agents = ["architect", "coder", "reviewer", "stranger", "newcomer"];

it("LCP-slot never copies from another slot, where FCFS does", () => {
  const [lcpSlot, fcfs] = (["lcp-slot", "fcfs"] as const).map((policy) => {
    const scheduler = new HandDrivenScheduler({ policy, slots: 2 });
    scheduler.submit("runs", by("coder"));
    scheduler.step();
    scheduler.submit("same prompt", by("coder"));
    return lastAdmission(scheduler).source.kind;
  });
  expect(lcpSlot).toBe("prefill");
  expect(fcfs).toBe("fork");
});

it("LCP-slot takes the most similar slot, but not one that holds less than a tenth of the prompt", () => {
  const scheduler = new HandDrivenScheduler({ policy: "lcp-slot", slots: 2 });
  leave(scheduler, ["coder", "reviewer"]);
  scheduler.submit("a tenth", { promptTokens: [...promptOf("reviewer").slice(0, 10), ...tokensOf(8, 90)] });
  expect(lastAdmission(scheduler)).toMatchObject({ slot: 0, source: { kind: "prefill" } });
  scheduler.submit("more", { promptTokens: [...promptOf("reviewer").slice(0, 11), ...tokensOf(9, 89)] });
  expect(lastAdmission(scheduler)).toMatchObject({ slot: 1, source: { kind: "in_place", tokens: 11 } });
});

it("LCP-slot brings back from the prompt cache what its slot had to give up", () => {
  const scheduler = new HandDrivenScheduler({ policy: "lcp-slot", slots: 1 });
  scheduler.take({
    origin: "engine",
    kind: "engine.ready",
    atMs: 0,
    slots: 1,
    slotTokens: 2048,
    storeTokens: 4096,
    costs: smallCpuCosts,
  });
  for (const agent of ["coder", "reviewer"]) serve(scheduler, agent);
  scheduler.submit("coder again", by("coder"));
  expect(lastAdmission(scheduler)).toMatchObject({ source: { kind: "restore", tokens: 99 }, evicts: ["reviewer"] });
});

it("Continuum keeps a program's slot through a gap, and no longer than its time to live", () => {
  const [within, after] = [900, 1_100].map((gapMs) => {
    const scheduler = new HandDrivenScheduler({ policy: "continuum", slots: 2 });
    leave(scheduler, ["coder"], { taskId: "program" });
    leave(scheduler, ["stranger"]);
    scheduler.atMs = (scheduler.state.slots[0]?.lastUsedAtMs ?? 0) + gapMs;
    scheduler.submit("new", by("newcomer"));
    return lastAdmission(scheduler).evicts;
  });
  expect(within).toEqual(["stranger"]);
  expect(after).toEqual(["coder"]);
});

it("Continuum lets a program go first whose KV cache is kept, if it came back within its time to live", () => {
  const [within, after] = [900, 1_100].map((gapMs) => {
    const scheduler = new HandDrivenScheduler({ policy: "continuum" });
    const pool = { slots: 4, slotTokens: 2048, budgetTokens: 1_000, costs: smallCpuCosts };
    scheduler.take({ origin: "engine", kind: "engine.ready", atMs: 0, ...pool });
    scheduler.submit("long", { ...by("stranger"), taskId: "first", maxTokens: 600 });
    leave(scheduler, ["coder"], { taskId: "second" });
    scheduler.atMs += gapMs;
    scheduler.submit("first again", { ...by("newcomer"), taskId: "first", maxTokens: 300 });
    scheduler.submit("second again", { ...by("coder"), taskId: "second", maxTokens: 250 });
    return scheduler.lastDecision()?.waits.map(({ requestId }) => requestId);
  });
  expect(within).toEqual(["second again", "first again"]);
  expect(after).toEqual(["first again", "second again"]);
});

it("Continuum takes from the program that came last where all that is idle is kept", () => {
  const scheduler = new HandDrivenScheduler({ policy: "continuum", slots: 2 });
  leave(scheduler, ["reviewer", "coder"], { taskId: "" });
  scheduler.submit("new", by("newcomer"));
  expect(lastAdmission(scheduler).evicts).toEqual(["coder"]);
});

it("Continuum's time to live is the gap at which waiting for the program pays best", () => {
  const gapsMs = [...Array.from({ length: 80 }, () => 500), ...Array.from({ length: 40 }, () => 9_000)];
  const liveFor = timeToLive(gapsMs);
  expect(liveFor(0.5)).toBe(0);
  expect(liveFor(2)).toBe(0.5);
  expect(liveFor(100)).toBe(9);
  expect(timeToLive(gapsMs.slice(0, 100))(100)).toBe(1);
});

it("a gap is noted when a program comes back of which nothing was open", () => {
  const scheduler = new HandDrivenScheduler({ policy: "continuum", slots: 1 });
  serve(scheduler, "coder", { taskId: "program" });
  scheduler.atMs += 2_000;
  scheduler.submit("back", { ...by("coder"), taskId: "program" });
  scheduler.submit("beside it", { ...by("coder"), taskId: "program" });
  expect(scheduler.state.toolGapsMs).toEqual([2_000]);
});

it("KVFlow counts the stages before each agent's next call, at a join those of the slowest branch", () => {
  const scheduler = new HandDrivenScheduler({ policy: "kvflow", slots: 1 });
  scheduler.declare(codeWorkflow);
  scheduler.declare(researchWorkflow);
  scheduler.submit("design", { ...by("architect"), taskId: "code 1", workflowId: "code", stageId: "design" });
  scheduler.submit("facts", { ...by("scout"), taskId: "research 1", workflowId: "research", stageId: "facts" });
  expect(Object.fromEntries(stepsToExecution(scheduler.state))).toEqual({
    architect: 0,
    coder: 1,
    reviewer: 2,
    planner: 0,
    scout: 0,
    analyst: 1,
    writer: 2,
  });
});

it("KVFlow gives up first what nobody will call, then what is needed latest", () => {
  const scheduler = new HandDrivenScheduler({ policy: "kvflow", slots: 4 });
  scheduler.declare(codeWorkflow);
  leave(scheduler, ["coder", "reviewer", "stranger"]);
  scheduler.submit("design", { ...by("architect"), taskId: "code 1", workflowId: "code", stageId: "design" });
  expect(evictedBy(scheduler, "newcomer")).toEqual(["stranger"]);
  expect(evictedBy(scheduler, "another")).toEqual(["reviewer"]);
  expect(evictedBy(scheduler, "a third")).toEqual(["coder"]);
});

it("Belady gives up what the announced calls need last", () => {
  const scheduler = new HandDrivenScheduler({ policy: "belady", slots: 3 });
  leave(scheduler, ["coder", "reviewer", "stranger"]);
  const calls = ["stranger", "reviewer", "stranger"];
  scheduler.take({ origin: "outside", kind: "trace.announced", atMs: scheduler.atMs, calls });
  expect(evictedBy(scheduler, "newcomer")).toEqual(["coder"]);
  expect(evictedBy(scheduler, "another")).toEqual(["reviewer"]);
});

function promptOf(agent: string): number[] {
  const known = agents.indexOf(agent);
  return tokensOf(20 + (known < 0 ? agents.length + agent.length : known), 100);
}

function by(agent: string): Partial<RequestSpec> {
  return { agent, promptTokens: promptOf(agent), prefixTokens: 90 };
}

/** Each agent's content stays in a slot of its own, in order of last use. An empty `taskId` stands for a program each. */
function leave(
  scheduler: HandDrivenScheduler,
  left: readonly string[],
  { taskId }: { readonly taskId?: string } = {},
): void {
  for (const [index, agent] of left.entries()) {
    const program = taskId === undefined ? {} : { taskId: taskId || `program of ${agent}` };
    scheduler.atMs += 1;
    scheduler.submit(`left by ${agent}`, { ...by(agent), ...program }, 1 + index);
  }
  scheduler.stepUntil(() => left.every((agent) => scheduler.isOver(`left by ${agent}`)));
}

function serve(scheduler: HandDrivenScheduler, agent: string, change: Partial<RequestSpec> = {}): void {
  scheduler.submit(`served ${agent}`, { ...by(agent), ...change }, 1);
  scheduler.stepUntil(() => scheduler.isOver(`served ${agent}`));
}

function evictedBy(scheduler: HandDrivenScheduler, agent: string): readonly string[] {
  scheduler.submit(`request of ${agent}`, by(agent));
  return lastAdmission(scheduler).evicts;
}

function lastAdmission(scheduler: HandDrivenScheduler) {
  const admission = scheduler.of("request.admitted").at(-1);
  if (admission === undefined) throw new Error("Nobody was admitted.");
  return admission;
}
