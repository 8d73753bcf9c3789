/** What the two kinds of pool and the warm store mean for a decision. */
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../core/topas/config";
import { freeBudget } from "../../core/topas/token-pool";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";

const gpuCosts = {
  prefillMsPerToken: 1,
  stepMs: Array.from({ length: 8 }, (_, index) => 20 + index * 0.2),
  copyMs: 1,
  origin: "given" as const,
};
const prompt = (agent: number, tail: number) => ({
  agent: `agent${agent}`,
  promptTokens: [...tokensOf(agent, 400), ...tokensOf(100 + tail, 20)],
  prefixTokens: 400,
  maxTokens: 80,
});

describe("a token pool", () => {
  const pool = (budgetTokens: number) =>
    new HandDrivenScheduler({ slots: 8, slotTokens: budgetTokens, budgetTokens, costs: gpuCosts });

  it("pays a prefix once however many requests of its agent run, and evaluates it once", () => {
    const scheduler = pool(1_000);
    for (let index = 0; index < 4; index += 1) scheduler.submit(`r${index}`, prompt(1, index));
    expect(scheduler.of("request.admitted")).toHaveLength(4);
    expect(freeBudget(scheduler.state)).toBe(1_000 - 400 - 4 * 100);
    scheduler.stepUntil(() => scheduler.state.requests.size === 0);
    const evaluated = scheduler.of("batch.started").flatMap(({ batch }) => batch.work);
    const ofPrefix = evaluated.filter(({ position }) => position < 400);
    expect(ofPrefix.reduce((sum, work) => sum + work.tokens.length, 0)).toBeLessThan(400 + 4 * 20);
  });

  it("drops an idle prefix for one that is called and has no room beside it", () => {
    const scheduler = pool(700);
    scheduler.submit("first", { ...prompt(1, 1), maxTokens: 2 });
    scheduler.stepUntil(() => scheduler.isOver("first"));
    scheduler.submit("second", prompt(2, 2));
    expect(scheduler.of("request.admitted").at(-1)?.evicts).toEqual(["agent1"]);
    expect([...scheduler.state.prefixes.keys()]).toEqual(["agent2"]);
  });

  it("lets a request wait that has no room beside those that run", () => {
    const scheduler = pool(900);
    scheduler.submit("first", prompt(1, 1));
    scheduler.submit("second", prompt(2, 2));
    expect(scheduler.isRunning("second")).toBe(false);
    scheduler.stepUntil(() => scheduler.isOver("first"));
    expect(scheduler.isRunning("second")).toBe(true);
  });
});

describe("a warm store", () => {
  const costs = { ...gpuCosts, saveMsPerToken: 0.01, restoreMsPerToken: 0.01 };

  it("brings back what a slot had to give up", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1, storeTokens: 4_000, costs });
    for (const [index, agent] of [1, 2, 1].entries()) {
      scheduler.submit(`r${index}`, { ...prompt(agent, index), maxTokens: 2 });
      scheduler.stepUntil(() => scheduler.isOver(`r${index}`));
    }
    expect(scheduler.of("request.admitted").at(-1)?.source).toMatchObject({ kind: "restore", tokens: 400 });
  });

  it("parks a long request for a short one where that is allowed, and lets it go on where it was", () => {
    const terms = { ...defaultConfig.terms, preempt: true };
    const config = { terms, preemptBar: 0.1, ageingStrength: 0 };
    const scheduler = new HandDrivenScheduler({ slots: 1, storeTokens: 4_000, costs, config });
    scheduler.submit("long", { ...prompt(1, 1), maxTokens: 600 });
    scheduler.stepUntil(() => (scheduler.state.requests.get("long")?.generated.length ?? 0) > 4);
    scheduler.submit("short", { ...prompt(2, 2), maxTokens: 4 });
    scheduler.stepUntil(() => scheduler.isOver("short"));
    expect(scheduler.of("request.preempted").map(({ requestId }) => requestId)).toEqual(["long"]);
    const before = scheduler.state.requests.get("long")?.generated.length ?? 0;
    scheduler.stepUntil(() => scheduler.isRunning("long"));
    const source = scheduler.of("request.admitted").at(-1)?.source;
    expect(source?.kind).toBe("restore");
    expect(source?.tokens).toBeGreaterThanOrEqual(420 + before - 1);
  });
});
