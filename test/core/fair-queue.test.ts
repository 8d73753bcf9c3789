/** Priorities, fairness, deadlines and what a full queue answers. */
import { describe, expect, it } from "vitest";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";

const prompt = (kind: number) => ({ promptTokens: tokensOf(kind, 60), prefixTokens: 0 });

describe("priority under TOPAS", () => {
  it("lets a high request go before normal ones and a low one behind, and says so", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    scheduler.submit("runs", prompt(1), 5);
    scheduler.submit("low", { ...prompt(2), priority: "low" }, 5);
    scheduler.submit("normal", prompt(3), 5);
    scheduler.submit("high", { ...prompt(4), priority: "high" }, 5);
    const waits = scheduler.lastDecision()?.waits;
    expect(waits?.map(({ requestId }) => requestId)).toEqual(["high", "normal", "low"]);
    expect(waits?.[1]?.sentence).toContain("goes first because its priority is higher");
    scheduler.stepUntil(() => scheduler.isOver("runs"));
    const admitted = scheduler
      .of("decision.made")
      .find(({ decision }) => decision.verdict.startsWith("Admitted agent#4"));
    expect(admitted?.decision.candidates[0]?.terms.priority).toBeGreaterThan(0);
  });

  it("starves nobody: a low request over the bound goes first", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1, config: { waitBoundMs: 300, waitBoundJctShare: 0 } });
    scheduler.submit("runs", prompt(1), 5);
    scheduler.submit("low", { ...prompt(2), priority: "low" }, 5);
    for (let at = 0; at < 40 && !scheduler.isRunning("low"); at += 1) {
      scheduler.submit(`high${at}`, { ...prompt(3 + at), priority: "high" }, 5);
      scheduler.step();
    }
    scheduler.stepUntil(() => scheduler.isRunning("low"));
    expect(scheduler.isRunning("low")).toBe(true);
    expect(scheduler.atMs).toBeLessThan(1500);
  });
});

describe("fairness under TOPAS", () => {
  it("puts a client that had most of the engine behind one that had none", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    for (let at = 0; at < 4; at += 1) {
      scheduler.submit(`greedy${at}`, { ...prompt(10 + at), client: "greedy", agent: `g${at}` }, 80);
      scheduler.stepUntil(() => scheduler.isOver(`greedy${at}`));
    }
    scheduler.submit("runs", { ...prompt(20), client: "greedy", agent: "g4" }, 20);
    scheduler.submit("greedy-next", { ...prompt(21), client: "greedy", agent: "g5" }, 5);
    scheduler.submit("modest", { ...prompt(22), client: "modest", agent: "m" }, 5);
    const waits = scheduler.lastDecision()?.waits;
    expect(waits?.map(({ requestId }) => requestId)).toEqual(["modest", "greedy-next"]);
    expect(waits?.[1]?.sentence).toContain("its client had less of the engine lately");
  });

  it("is no term while there is one client and one agent", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    for (const id of ["a", "b", "c"]) scheduler.submit(id, {}, 5);
    scheduler.stepUntil(() => scheduler.state.requests.size === 0);
    const terms = scheduler.of("decision.made").flatMap(({ decision }) => decision.candidates.map((one) => one.terms));
    expect(new Set(terms.map(({ fairness }) => fairness + 0))).toEqual(new Set([0]));
  });
});

describe("a deadline", () => {
  it("that cannot be met is refused with both numbers", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    const [event] = scheduler.submit("a", { promptTokens: tokensOf(1, 500), deadlineMs: 1000 });
    expect(event).toMatchObject({
      kind: "request.refused",
      refusal: {
        code: "deadline_unmeetable",
        message: "The deadline is in 1.00 s. Computing the prompt alone takes 2.12 s.",
      },
    });
  });

  it("that passes ends the request, waiting or running, and frees its slot", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    scheduler.submit("runs", { ...prompt(1), maxTokens: null, deadlineMs: 900 }, 1000);
    scheduler.submit("waits", { ...prompt(2), deadlineMs: 700 }, 5);
    scheduler.submit("next", prompt(3), 5);
    expect(scheduler.of("alarm.set").at(-1)?.forMs).toBe(700);
    scheduler.stepUntil(() => scheduler.isOver("runs"));
    expect(scheduler.of("request.cancelled")).toMatchObject([
      { requestId: "waits", cause: "deadline", reason: "Its deadline passed with 0 tokens generated." },
      { requestId: "runs", cause: "deadline" },
    ]);
    scheduler.stepUntil(() => scheduler.isOver("next"));
    expect(scheduler.isOver("next")).toBe(true);
  });

  it("passes by the alarm when nothing else happens", () => {
    const scheduler = new HandDrivenScheduler();
    scheduler.take({ origin: "engine", kind: "engine.lost", atMs: 0, reason: "test" });
    scheduler.submit("a", { deadlineMs: 5000 });
    scheduler.take({ origin: "clock", kind: "alarm.rang", atMs: 5000 });
    expect(scheduler.isOver("a")).toBe(true);
  });
});

describe("a full queue", () => {
  it("says when a place is likely to be free, from the admissions it saw", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1, config: { waitingMax: 1 } });
    const refusalOf = (id: string) => {
      const [event] = scheduler.submit(id, {}, 5);
      return event?.kind === "request.refused" ? event.refusal : null;
    };
    scheduler.submit("a", {}, 5);
    scheduler.submit("b", {}, 5);
    expect(refusalOf("c")).toEqual({ code: "queue_full", message: expect.stringContaining("1 requests are waiting") });
    for (let at = 0; at < 6; at += 1) {
      scheduler.stepUntil(() => scheduler.state.requests.size < 2);
      scheduler.submit(`more${at}`, {}, 5);
    }
    const { retryAfterMs } = refusalOf("d") ?? {};
    expect(retryAfterMs).toBeGreaterThan(20);
    expect(retryAfterMs).toBeLessThan(400);
  });
});
