import { describe, expect, it } from "vitest";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";
import { codeWorkflow, researchWorkflow } from "../support/workloads";

/** Costs of a machine on which a second sequence is nearly free. */
const largeGpuCosts = { prefillMsPerToken: 0.3, stepMs: [12, 12.1, 12.2, 12.3], copyMs: 1, origin: "given" as const };

const prompt = (agent: number, tail: number) => ({
  promptTokens: [...tokensOf(agent, 700), ...tokensOf(100 + tail, 20)],
  prefixTokens: 700,
});

describe("TOPAS", () => {
  it("never leaves the machine idle while a request waits", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("only", { promptTokens: tokensOf(1, 1500), maxTokens: 1 });
    expect(scheduler.isRunning("only")).toBe(true);
  });

  it("keeps a slot warm for the stage that comes next rather than giving it to a stranger", () => {
    const scheduler = new HandDrivenScheduler({ costs: { ...largeGpuCosts, prefillMsPerToken: 4 } });
    scheduler.declare(codeWorkflow);
    scheduler.submit("warm-up", { agent: "coder", ...prompt(2, 1), maxTokens: 1 });
    scheduler.stepUntil(() => scheduler.isOver("warm-up"));
    scheduler.submit("design", {
      agent: "architect",
      ...prompt(1, 2),
      taskId: "t",
      workflowId: "code",
      stageId: "design",
      maxTokens: 100,
    });
    scheduler.submit("stranger", {
      agent: "stranger",
      promptTokens: tokensOf(9, 20),
      prefixTokens: 10,
      maxTokens: 100,
    });
    expect(scheduler.isRunning("design")).toBe(true);
    expect(scheduler.isRunning("stranger")).toBe(false);
    const decision = scheduler.lastDecision();
    expect(decision?.kept).toMatchObject({ agent: "coder", forWhom: "Code crew 1" });
    expect(decision?.waits[0]).toMatchObject({ requestId: "stranger", code: "HELD_FOR_PREFIX" });
    expect(decision?.waits[0]?.sentence).toContain("stays warm for coder");
  });

  it("holds a second request back where two at once finish later than one after the other", () => {
    const slow = { prefillMsPerToken: 1, stepMs: [10, 19], copyMs: 1, origin: "given" as const };
    const scheduler = new HandDrivenScheduler({ costs: slow });
    scheduler.submit("first", { maxTokens: 50 });
    scheduler.submit("second", { maxTokens: 50, agent: "other", promptTokens: tokensOf(3, 8) });
    expect(scheduler.isRunning("second")).toBe(false);
    expect(scheduler.lastDecision()?.waits[0]?.code).toBe("HELD_FOR_SPEED");
  });

  it("runs both branches of a fan-out side by side, because the task needs both", () => {
    const scheduler = new HandDrivenScheduler({ slots: 4 });
    scheduler.declare(researchWorkflow);
    const place = { taskId: "t", workflowId: "research", maxTokens: 60 };
    scheduler.submit("facts", { ...place, agent: "scout", stageId: "facts", promptTokens: tokensOf(1, 40) });
    scheduler.submit("causes", { ...place, agent: "analyst", stageId: "causes", promptTokens: tokensOf(2, 40) });
    expect(scheduler.isRunning("facts") && scheduler.isRunning("causes")).toBe(true);
  });

  it("lets a request go first once it has waited longer than the bound", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1, config: { waitBoundMs: 5_000 } });
    scheduler.submit("runs", { maxTokens: 400, agent: "x" });
    scheduler.submit("old", { agent: "old", ...prompt(5, 1), maxTokens: 4 });
    scheduler.atMs = 6_000;
    scheduler.submit("young", { agent: "x", maxTokens: 400 });
    scheduler.stepUntil(() => scheduler.isOver("runs"));
    expect(scheduler.isRunning("old")).toBe(true);
    expect(
      scheduler.of("decision.made").some(({ decision }) => decision.verdict.includes("waited longer than the bound")),
    ).toBe(true);
  });

  it("does not let long requests of nobody's workflow go before a short one that came earlier", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    scheduler.submit("runs", { maxTokens: 20 });
    scheduler.submit("short", { promptTokens: tokensOf(3, 20), maxTokens: 4 });
    scheduler.atMs = 500;
    for (let index = 0; index < 5; index += 1) {
      scheduler.submit(`long${index}`, { promptTokens: tokensOf(4 + index, 300), maxTokens: 1000 });
    }
    scheduler.stepUntil(() => scheduler.isOver("runs"));
    expect(scheduler.isRunning("short")).toBe(true);
  });

  it("gives away the slot whose agent nobody needs any more", () => {
    const scheduler = new HandDrivenScheduler({ costs: largeGpuCosts });
    scheduler.declare(codeWorkflow);
    for (const [id, agent, kind] of [
      ["a", "coder", 2],
      ["b", "lonely", 3],
    ] as const) {
      scheduler.submit(id, { agent, ...prompt(kind, kind), maxTokens: 1 });
      scheduler.stepUntil(() => scheduler.isOver(id));
    }
    scheduler.submit("design", {
      agent: "architect",
      ...prompt(1, 9),
      taskId: "t",
      workflowId: "code",
      stageId: "design",
    });
    expect(scheduler.of("request.admitted").at(-1)?.evicts).toEqual(["lonely"]);
  });

  it("takes an empty slot rather than a warm one that shares a few tokens", () => {
    const scheduler = new HandDrivenScheduler();
    for (const [id, kind] of [
      ["a", 2],
      ["b", 3],
    ] as const) {
      const promptTokens = [...tokensOf(50, 4), ...tokensOf(kind, 700)];
      scheduler.submit(id, { agent: id, promptTokens, prefixTokens: 700, maxTokens: 1 });
      scheduler.stepUntil(() => scheduler.isOver(id));
    }
    expect(scheduler.of("request.admitted").map(({ slot, evicts }) => [slot, evicts])).toEqual([
      [0, []],
      [1, []],
    ]);
  });

  it("keeps two conversations with a common system prompt each in its own slot", () => {
    const scheduler = new HandDrivenScheduler();
    const conversations = [2, 3].map((kind) => [...tokensOf(1, 600), ...tokensOf(kind, 500)]);
    for (let turn = 1; turn <= 3; turn += 1) {
      for (const [index, conversation] of conversations.entries()) {
        const id = `${index}.${turn}`;
        scheduler.submit(id, { agent: "chat", promptTokens: [...conversation], prefixTokens: 600, maxTokens: 1 });
        scheduler.stepUntil(() => scheduler.isOver(id));
        conversation.push(...tokensOf(10 * turn + index, 40));
      }
    }
    const found = scheduler.of("request.admitted").map(({ slot, source }) => ({ slot, ...source }));
    expect(found.slice(0, 2)).toMatchObject([{ kind: "prefill" }, { kind: "fork", tokens: 600 }]);
    for (const { kind, tokens } of found.slice(2)) {
      expect(kind).toBe("in_place");
      expect(tokens).toBeGreaterThanOrEqual(1_099);
    }
  });

  it("leaves each candidate with terms that add up to its score", () => {
    const scheduler = new HandDrivenScheduler({ slots: 4 });
    for (let index = 0; index < 8; index += 1)
      scheduler.submit(`r${index}`, { agent: `a${index % 3}`, ...prompt(index % 3, index) });
    for (const { decision } of scheduler.of("decision.made")) {
      for (const { terms, score } of decision.candidates) {
        const sum = terms.progress + terms.age + terms.move + terms.slow + terms.reuse;
        expect(sum).toBeCloseTo(score, 9);
      }
    }
  });

  it("gives every waiting request a place and a reason in words", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    for (let index = 0; index < 4; index += 1)
      scheduler.submit(`r${index}`, { agent: `a${index}`, ...prompt(index, index) });
    const waits = scheduler.lastDecision()?.waits ?? [];
    expect(waits.map((wait) => wait.place)).toEqual([1, 2, 3]);
    for (const wait of waits) expect(wait.sentence).toMatch(/^[A-Z].*\.$/);
  });
});

describe("FCFS", () => {
  it("serves in order of arrival whatever it costs", () => {
    const scheduler = new HandDrivenScheduler({ policy: "fcfs", slots: 1 });
    scheduler.submit("runs", { maxTokens: 2 });
    scheduler.submit("long", { agent: "long", ...prompt(4, 1), maxTokens: 2 });
    scheduler.submit("short", { maxTokens: 2 });
    scheduler.stepUntil(() => scheduler.of("request.admitted").length === 3);
    expect(scheduler.of("request.admitted").map((event) => event.requestId)).toEqual(["runs", "long", "short"]);
  });

  it("can be chosen while requests wait", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    scheduler.submit("runs");
    scheduler.submit("waits");
    scheduler.take({ origin: "outside", kind: "policy.chosen", atMs: scheduler.atMs, policy: "fcfs" });
    expect(scheduler.lastDecision()).toMatchObject({ policy: "fcfs", trigger: "policy" });
  });
});
