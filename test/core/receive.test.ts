import { describe, expect, it } from "vitest";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";
import { codeWorkflow } from "../support/workloads";

describe("the life of a request", () => {
  it("is admitted at once, prefilled in pieces and decoded to its limit", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("a", { promptTokens: tokensOf(1, 300), maxTokens: 3 });
    scheduler.stepUntil(() => scheduler.isOver("a"));
    const batches = scheduler.of("batch.started").map(({ batch }) => [batch.work[0]?.tokens.length, batch.steps]);
    expect(batches).toEqual([
      [128, 1],
      [128, 1],
      [44, 1],
      [1, 2],
    ]);
    expect(scheduler.of("request.finished")[0]).toMatchObject({ requestId: "a", reason: "length" });
  });

  it("draws its first token with the last piece of its prompt and not before", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("a", { promptTokens: tokensOf(1, 200) });
    expect(scheduler.state.batchInFlight?.work[0]?.wantsToken).toBe(false);
    scheduler.step();
    expect(scheduler.state.batchInFlight?.work[0]).toMatchObject({ position: 128, wantsToken: true });
  });

  it("ends by itself with the engine's end of sequence", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("a", { maxTokens: 50 }, 2);
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.of("request.finished")[0]?.reason).toBe("end_of_sequence");
  });

  it("ends for its length when the slot is full", () => {
    const scheduler = new HandDrivenScheduler({ slotTokens: 64 });
    scheduler.submit("a", { promptTokens: tokensOf(1, 60), maxTokens: null });
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.of("request.finished")[0]?.reason).toBe("length");
    expect(scheduler.state.slots[0]?.tokens.length).toBeLessThanOrEqual(64);
  });

  it("keeps a running stream flowing beside another's long prompt", () => {
    const scheduler = new HandDrivenScheduler({
      config: {
        terms: { age: true, priority: true, fairness: true, move: false, slow: false, reuse: true, preempt: true },
      },
    });
    scheduler.submit("talks");
    scheduler.step();
    scheduler.submit("reads", { promptTokens: tokensOf(2, 1000), agent: "reader" });
    scheduler.step();
    const mixed = scheduler.state.batchInFlight?.work;
    expect(mixed?.map((work) => work.tokens.length)).toEqual([1, 128]);
  });
});

describe("several steps in one batch", () => {
  const decoding = (change: ConstructorParameters<typeof HandDrivenScheduler>[0] = {}) => {
    const scheduler = new HandDrivenScheduler({ policy: "fcfs", ...change });
    scheduler.submit("a", { maxTokens: 100 });
    scheduler.step();
    return scheduler;
  };

  it("are planned when all decode, up to the nearest limit, and are no more than the most", () => {
    const scheduler = decoding();
    expect(scheduler.state.batchInFlight).toMatchObject({ steps: 16, work: [{ position: 8 }] });
    scheduler.submit("b", { promptTokens: tokensOf(2, 8), maxTokens: 6 });
    scheduler.step();
    expect(scheduler.state.batchInFlight).toMatchObject({ steps: 1, work: [{}, {}] });
    scheduler.step();
    expect(scheduler.state.batchInFlight).toMatchObject({ steps: 5, work: [{}, {}] });
  });

  it("move the work on, token by token, and leave the batch in flight until its last", () => {
    const scheduler = decoding();
    const drawn = () => scheduler.state.requests.get("a")?.generated ?? [];
    for (let step = 1; step < 16; step += 1) {
      scheduler.step();
      expect(scheduler.state.batchInFlight).toMatchObject({
        batchId: 2,
        steps: 16 - step,
        work: [{ position: 8 + step, tokens: drawn().slice(-1) }],
      });
    }
    scheduler.step();
    expect(scheduler.state.batchInFlight).toMatchObject({ batchId: 3, steps: 16, work: [{ position: 24 }] });
    expect(drawn()).toHaveLength(17);
  });

  it("are interrupted once by a request that is admitted, and it runs with the next batch", () => {
    const scheduler = decoding({ slots: 3 });
    scheduler.step();
    scheduler.submit("b", { promptTokens: tokensOf(2, 8) });
    scheduler.submit("c", { promptTokens: tokensOf(3, 8) });
    expect(scheduler.of("batch.interrupted")).toEqual([expect.objectContaining({ batchId: 2 })]);
    scheduler.step();
    expect(scheduler.state.batchInFlight?.work.map(({ requestId }) => requestId)).toEqual(["a", "b", "c"]);
    expect(scheduler.of("batch.interrupted")).toHaveLength(1);
  });

  it("are interrupted by a cancellation, which then takes one step", () => {
    const scheduler = decoding({ slots: 1 });
    scheduler.submit("b", { promptTokens: tokensOf(2, 8) });
    expect(scheduler.of("batch.interrupted")).toEqual([]);
    scheduler.cancel("a");
    expect(scheduler.of("batch.interrupted")).toHaveLength(1);
    scheduler.step();
    expect(scheduler.state.batchInFlight?.work.map(({ requestId }) => requestId)).toEqual(["b"]);
  });

  it("that the engine did before it heard of the interruption are taken like any other", () => {
    const scheduler = decoding({ slots: 2 });
    scheduler.submit("b", { promptTokens: tokensOf(2, 8) });
    const answer = { requestId: "a", text: "", heldText: "", ended: null };
    const result = (token: number) => ({ batchId: 2, durationMs: 5, answers: [{ ...answer, token }], failures: [] });
    for (const token of [71, 72])
      scheduler.take({ origin: "engine", kind: "batch.stepped", atMs: scheduler.atMs, result: result(token) });
    scheduler.take({ origin: "engine", kind: "batch.finished", atMs: scheduler.atMs, result: result(73) });
    expect(scheduler.state.requests.get("a")?.generated.slice(-3)).toEqual([71, 72, 73]);
    expect(scheduler.state.slots[0]?.tokens.slice(-2)).toEqual([71, 72]);
    expect(scheduler.of("batch.interrupted")).toHaveLength(1);
    expect(scheduler.state.batchInFlight?.work.map(({ tokens }) => tokens.length)).toEqual([1, 8]);
  });

  it("let a hold be looked at again after so many steps, not batches", () => {
    const costs = { prefillMsPerToken: 1, stepMs: [10, 19], copyMs: 1, origin: "given" as const };
    const config = { stepsAheadMax: 64, decideEverySteps: 10 };
    const scheduler = decoding({ policy: "topas", costs, config });
    scheduler.submit("b", { maxTokens: 100, agent: "other", promptTokens: tokensOf(3, 8) });
    expect(scheduler.isRunning("b")).toBe(false);
    const decisions = scheduler.of("decision.made").length;
    for (let step = 2; step < 10; step += 1) scheduler.step();
    expect(scheduler.of("decision.made")).toHaveLength(decisions);
    scheduler.step();
    expect(scheduler.lastDecision()?.trigger).toBe("step");
    expect(scheduler.of("batch.started").at(-1)?.batch).toMatchObject({ batchId: 2, steps: 64 });
  });
});

describe("what is refused", () => {
  it("a prompt longer than a slot, with both numbers, and nothing is cut", () => {
    const scheduler = new HandDrivenScheduler({ slotTokens: 2048 });
    scheduler.submit("a", { promptTokens: tokensOf(1, 3000) });
    const refusal = scheduler.of("request.refused")[0]?.refusal;
    expect(refusal).toMatchObject({ code: "context_length_exceeded", promptTokens: 3000, slotTokens: 2048 });
    expect(refusal?.message).toContain("2048");
    expect(refusal?.message).toContain("3000");
    expect(scheduler.state.requests.size).toBe(0);
  });

  it("one more than may wait", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1, config: { waitingMax: 1 } });
    for (const id of ["runs", "waits", "too-many"]) scheduler.submit(id);
    expect(scheduler.of("request.refused")[0]).toMatchObject({
      requestId: "too-many",
      refusal: { code: "queue_full" },
    });
  });

  it("an empty prompt and an id that is here already", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("a", { promptTokens: [] });
    scheduler.submit("b");
    scheduler.submit("b");
    const codes = scheduler.of("request.refused").map((event) => event.refusal.code);
    expect(codes).toEqual(["empty_prompt", "duplicate_request"]);
  });
});

describe("prefixes", () => {
  it("are reused in place when the slot still holds them", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    const prefix = tokensOf(1, 500);
    scheduler.submit("a", { promptTokens: [...prefix, 1], prefixTokens: 500, maxTokens: 1 });
    scheduler.stepUntil(() => scheduler.isOver("a"));
    scheduler.submit("b", { promptTokens: [...prefix, 2], prefixTokens: 500, maxTokens: 1 });
    expect(scheduler.of("request.admitted")[1]?.source).toEqual({ kind: "in_place", tokens: 500 });
    expect(scheduler.state.batchInFlight?.operations).toEqual([{ kind: "cut", slot: 0, length: 500 }]);
    expect(scheduler.state.batchInFlight?.work[0]).toMatchObject({ position: 500, tokens: [2] });
  });

  it("are copied from a slot that is still running", () => {
    const scheduler = new HandDrivenScheduler({ policy: "fcfs" });
    const prefix = tokensOf(1, 500);
    scheduler.submit("a", { promptTokens: [...prefix, 1], prefixTokens: 500 });
    scheduler.stepUntil(() => (scheduler.state.slots[0]?.tokens.length ?? 0) > 500);
    scheduler.submit("b", { promptTokens: [...prefix, 2], prefixTokens: 500 });
    expect(scheduler.of("request.admitted")[1]?.source).toEqual({ kind: "fork", tokens: 500, from: 0 });
    scheduler.step();
    const operations = scheduler.state.batchInFlight?.operations;
    expect(operations).toEqual([
      { kind: "copy", from: 0, to: 1 },
      { kind: "cut", slot: 1, length: 500 },
    ]);
  });

  it("leave one token of an equal prompt to evaluate", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    const same = { promptTokens: tokensOf(1, 100), prefixTokens: 90, maxTokens: 1 };
    scheduler.submit("a", same);
    scheduler.stepUntil(() => scheduler.isOver("a"));
    scheduler.submit("b", same);
    expect(scheduler.of("request.admitted")[1]?.source.tokens).toBe(99);
  });
});

describe("cancellation", () => {
  it("of a waiting request takes it from the queue", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    scheduler.submit("runs");
    scheduler.submit("waits");
    scheduler.cancel("waits");
    expect(scheduler.isOver("waits")).toBe(true);
    expect(scheduler.isRunning("runs")).toBe(true);
  });

  it("in prefill frees the slot with the piece under way, and keeps what was evaluated warm", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    scheduler.submit("a", { promptTokens: tokensOf(1, 1000) });
    scheduler.submit("b", { promptTokens: tokensOf(2, 10), agent: "other" });
    scheduler.cancel("a");
    expect(scheduler.isRunning("b")).toBe(false);
    scheduler.step();
    expect(scheduler.isRunning("b")).toBe(true);
    expect(scheduler.of("batch.finished")).toHaveLength(1);
  });
});

describe("a lost engine", () => {
  it("costs no request its tokens: it goes on after the last one drawn", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("a", { promptTokens: tokensOf(1, 20), maxTokens: 10 });
    for (let step = 0; step < 4; step += 1) scheduler.step();
    const drawn = [...(scheduler.state.requests.get("a")?.generated ?? [])];
    scheduler.take({ origin: "engine", kind: "engine.lost", atMs: scheduler.atMs, reason: "SIGKILL" });
    expect(scheduler.of("request.requeued")[0]).toMatchObject({ requestId: "a", generatedTokens: drawn.length });
    const { costs } = scheduler.state.engine;
    scheduler.take({ origin: "engine", kind: "engine.ready", atMs: scheduler.atMs, slots: 2, slotTokens: 2048, costs });
    expect(scheduler.state.batchInFlight?.work[0]?.tokens).toEqual([...tokensOf(1, 20), ...drawn]);
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.drawn()).toBe(10);
  });

  it("drops a result that comes after it", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.submit("a");
    scheduler.take({ origin: "engine", kind: "engine.lost", atMs: 1, reason: "gone" });
    const result = { batchId: 1, durationMs: 1, answers: [], failures: [] };
    expect(scheduler.take({ origin: "engine", kind: "batch.finished", atMs: 2, result })).toEqual([]);
  });
});

describe("a failure of one request in a batch", () => {
  it("ends that request alone and clears its slot", () => {
    const scheduler = new HandDrivenScheduler({ policy: "fcfs" });
    scheduler.submit("bad");
    scheduler.submit("good", { promptTokens: tokensOf(2, 8) });
    scheduler.step();
    const batchId = scheduler.state.batchInFlight?.batchId ?? 0;
    const answers = [{ requestId: "good", token: 7, text: "", heldText: "", ended: null }];
    const failures = [{ requestId: "bad", message: "bad token" }];
    const result = { batchId, durationMs: 5, answers, failures };
    scheduler.take({ origin: "engine", kind: "batch.finished", atMs: scheduler.atMs, result });
    expect(scheduler.of("request.failed").map((event) => event.requestId)).toEqual(["bad"]);
    expect(scheduler.isRunning("good")).toBe(true);
    expect(scheduler.state.slots[0]?.tokens).toEqual([]);
  });
});

describe("tasks", () => {
  it("of a declared workflow end with their last stage and tell their completion time", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.declare(codeWorkflow);
    for (const [stageId, agent] of [
      ["design", "architect"],
      ["code", "coder"],
      ["review", "reviewer"],
    ] as const) {
      scheduler.submit(stageId, { taskId: "t", workflowId: "code", stageId, agent, maxTokens: 2 });
      scheduler.stepUntil(() => scheduler.isOver(stageId));
    }
    expect(scheduler.of("task.finished")).toHaveLength(1);
    expect(scheduler.of("task.finished")[0]?.jctMs).toBe(scheduler.atMs);
  });

  it("without a declaration end when nothing of them was open for a while", () => {
    const scheduler = new HandDrivenScheduler({ config: { taskIdleMs: 1000 } });
    scheduler.submit("a", { taskId: "session", maxTokens: 1 });
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(scheduler.of("alarm.set").at(-1)?.forMs).toBe(scheduler.atMs + 1000);
    scheduler.take({ origin: "clock", kind: "alarm.rang", atMs: scheduler.atMs + 1000 });
    expect(scheduler.of("task.finished")[0]?.taskId).toBe("session");
  });
});
