/** Without prompts and answers a journal still replays to the very events it holds, and two sequences still agree as far as they did. */
import { describe, expect, it } from "vitest";
import type { RequestSpec } from "../../core/topas/inputs";
import { PrivateLines } from "../../electron/trace/private-lines";
import { ReplayWatch } from "../sim/properties/replay-watch";
import { runWorld } from "../sim/properties/run-world";
import { poolKinds, smallWorld } from "../sim/properties/small-world";

describe("lines without prompts and answers", () => {
  it.each(poolKinds)("replay exactly: forty small worlds of %s", (pool) => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const world = smallWorld(seed, { pool });
      const lines = new PrivateLines();
      const replay = new ReplayWatch();
      runWorld(world, (_state, input, events) => {
        replay.write({ kind: "input", input: lines.input(input) });
        for (const event of events) replay.write({ kind: "event", event: lines.event(event) });
      });
      replay.end(world);
    }
  });

  const submitted = (promptTokens: readonly number[]): RequestSpec => ({
    ...{ requestId: "r", agent: "a", taskId: "r", workflowId: null, stageId: null, promptTokens, prefixTokens: 0 },
    ...{ maxTokens: 8, stop: ["secret stop"] },
    sampling: { temperature: 0, topP: 1, grammar: 'root ::= "secret"', logitBias: [{ token: 4711, bias: 1 }] },
  });

  function hidden(lines: PrivateLines, promptTokens: readonly number[]): readonly number[] {
    const input = lines.input({
      origin: "outside",
      kind: "request.submitted",
      atMs: 0,
      request: submitted(promptTokens),
    });
    if (input.kind !== "request.submitted") throw new Error("It became another input.");
    expect(JSON.stringify(input)).not.toMatch(/secret|logitBias/);
    return input.request.promptTokens;
  }

  it("agree as far as the prompts did and no further, and tell nothing of what a token was", () => {
    const lines = new PrivateLines();
    const tokens = Array.from({ length: 300 }, (_, index) => index % 7);
    const one = hidden(lines, tokens);
    const other = hidden(lines, [...tokens.slice(0, 200), 9, ...tokens.slice(201)]);
    expect(other.slice(0, 200)).toEqual(one.slice(0, 200));
    expect(other.slice(200).filter((token, index) => token === one[200 + index])).toEqual([]);
    // The same token again and again gets a number of its own at each place, and another one in the next run.
    expect(new Set(hidden(lines, Array(300).fill(3))).size).toBe(300);
    expect(hidden(new PrivateLines(), tokens)).not.toEqual(one);
    expect(hidden(lines, [])).toEqual([]);
  });
});
