/** What the user does to the queue, under several policies: pause, move up, pin, and what is said about it. */
import { describe, expect, it } from "vitest";
import type { PolicyName } from "../../core/contract/policy-name";
import type { OutsideInput } from "../../core/topas/inputs";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";

type Timeless = OutsideInput extends infer Each
  ? Each extends OutsideInput
    ? Omit<Each, "atMs" | "origin">
    : never
  : never;

const policies: readonly PolicyName[] = ["topas", "fcfs", "lpm", "lcp-slot", "continuum"];

function act(scheduler: HandDrivenScheduler, what: Timeless) {
  return scheduler.take({ origin: "outside", atMs: scheduler.atMs, ...what } as OutsideInput);
}

const agentCall = (agent: string, kind: number) => ({ agent, promptTokens: tokensOf(kind, 100), prefixTokens: 90 });

describe.each(policies)("under %s", (policy) => {
  it("a paused queue admits nobody, lets run what runs and says so", () => {
    const scheduler = new HandDrivenScheduler({ policy, slots: 2 });
    scheduler.submit("a", {}, 3);
    act(scheduler, { kind: "queue.paused" });
    scheduler.submit("b", {}, 3);
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.isOver("a")).toBe(true);
    expect(scheduler.isRunning("b")).toBe(false);
    const decision = scheduler.lastDecision();
    expect(decision?.verdict).toBe("Admitted nobody: paused by the user.");
    expect(decision?.waits).toMatchObject([
      { requestId: "b", code: "PAUSED", sentence: "Waits because the queue is paused by the user." },
    ]);
    act(scheduler, { kind: "queue.resumed" });
    expect(scheduler.isRunning("b")).toBe(true);
  });

  it("a request that was moved up runs next, and one whose move was undone does not", () => {
    const scheduler = new HandDrivenScheduler({ policy, slots: 1 });
    for (const id of ["a", "b", "c", "d"]) scheduler.submit(id, agentCall(id, id.charCodeAt(0)), 3);
    act(scheduler, { kind: "request.moved_up", requestId: "c" });
    act(scheduler, { kind: "request.moved_up", requestId: "d" });
    expect(scheduler.lastDecision()?.waits.map(({ requestId }) => requestId)).toEqual(["d", "c", "b"]);
    expect(scheduler.lastDecision()?.waits[1]?.sentence).toContain(
      "d#1 goes first because it was moved up by the user",
    );
    act(scheduler, { kind: "request.move_undone", requestId: "d" });
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.isRunning("c")).toBe(true);
    const admitted = scheduler.of("decision.made").find(({ decision }) => decision.verdict.startsWith("Admitted c#1"));
    expect(admitted?.decision.verdict).toContain("moved up by the user");
  });

  it("a pinned prefix stays through a flood of others", () => {
    const scheduler = new HandDrivenScheduler({ policy, slots: 2 });
    scheduler.submit("first", agentCall("kept", 1), 2);
    scheduler.stepUntil(() => scheduler.isOver("first"));
    act(scheduler, { kind: "prefix.pinned", agent: "kept" });
    for (let at = 2; at < 8; at += 1) scheduler.submit(`r${at}`, agentCall(`other${at}`, at), 2);
    scheduler.stepUntil(() => scheduler.isOver("r7") && scheduler.state.requests.size === 0);
    expect(scheduler.state.requests.size).toBe(0);
    expect(scheduler.state.slots.map(({ agent }) => agent)).toContain("kept");
    scheduler.submit("again", agentCall("kept", 1), 2);
    expect(scheduler.of("request.admitted").at(-1)).toMatchObject({ requestId: "again", source: { kind: "in_place" } });
  });
});

describe("pins", () => {
  it("leave one slot to everybody else, and say so", () => {
    const scheduler = new HandDrivenScheduler({ slots: 2 });
    expect(act(scheduler, { kind: "prefix.pinned", agent: "a" })[0]?.kind).toBe("prefix.pinned");
    expect(act(scheduler, { kind: "prefix.pinned", agent: "b" })).toMatchObject([
      { kind: "act.refused", act: "pin", target: "b", message: expect.stringContaining("at once is 1") },
    ]);
    act(scheduler, { kind: "prefix.unpinned", agent: "a" });
    expect(act(scheduler, { kind: "prefix.pinned", agent: "b" })[0]?.kind).toBe("prefix.pinned");
  });

  it("go with an engine that has fewer slots, the last ones first", () => {
    const scheduler = new HandDrivenScheduler({ slots: 3 });
    for (const agent of ["a", "b"]) act(scheduler, { kind: "prefix.pinned", agent });
    scheduler.take({
      ...{ origin: "engine", kind: "engine.ready", atMs: 0, slots: 2, slotTokens: 2048 },
      costs: scheduler.state.engine.costs,
    });
    expect([...scheduler.state.pinned]).toEqual(["a"]);
  });

  it("tell a request that only they hold up why it waits", () => {
    const scheduler = new HandDrivenScheduler({ slots: 2 });
    scheduler.submit("first", agentCall("kept", 1), 2);
    scheduler.stepUntil(() => scheduler.isOver("first"));
    act(scheduler, { kind: "prefix.pinned", agent: "kept" });
    scheduler.submit("long", agentCall("other", 2), 500);
    scheduler.submit("next", agentCall("third", 3), 2);
    expect(scheduler.lastDecision()?.waits[0]).toMatchObject({
      requestId: "next",
      code: "HELD_FOR_PREFIX",
      sentence: "Waits because the free slot is pinned for kept.",
    });
  });

  it("yield in a token pool when nothing else can ever run", () => {
    const scheduler = new HandDrivenScheduler({ slots: 8, slotTokens: 150, budgetTokens: 150 });
    scheduler.submit("first", { ...agentCall("kept", 1), maxTokens: 2 }, 2);
    scheduler.stepUntil(() => scheduler.isOver("first"));
    act(scheduler, { kind: "prefix.pinned", agent: "kept" });
    scheduler.submit("big", { ...agentCall("other", 2), maxTokens: 2 }, 2);
    scheduler.stepUntil(() => scheduler.isOver("big"));
    expect(scheduler.isOver("big")).toBe(true);
  });
});

describe("acts that make no sense", () => {
  it.each<[Timeless, string]>([
    [{ kind: "queue.resumed" }, "The queue is not paused."],
    [{ kind: "request.moved_up", requestId: "nobody" }, "There is no request nobody that waits."],
    [{ kind: "request.moved_up", requestId: "runs" }, "Request runs runs already."],
    [{ kind: "request.move_undone", requestId: "runs" }, "Request runs was not moved up."],
    [{ kind: "prefix.unpinned", agent: "a" }, "The prefix of a is not pinned."],
  ])("are answered: %j", (what, message) => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("runs");
    expect(act(scheduler, what)).toMatchObject([{ kind: "act.refused", message }]);
  });
});

describe("TOPAS's bound on waiting", () => {
  it("holds against a request that was moved up", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1, config: { waitBoundMs: 100, waitBoundJctShare: 0 } });
    scheduler.submit("a", {}, 30);
    scheduler.submit("old", {}, 3);
    scheduler.submit("moved", {}, 3);
    act(scheduler, { kind: "request.moved_up", requestId: "moved" });
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.isRunning("old") || scheduler.isOver("old")).toBe(true);
  });
});
