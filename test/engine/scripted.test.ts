import { describe, expect, test } from "vitest";
import { EngineLost } from "../../core/contract/engine";
import { evaluate, openRequest, prefill } from "../support/drive-engine";
import { ScriptedEngine } from "../support/scripted-engine";
import { enginePortSuite } from "./port/engine-port-suite";

enginePortSuite("scripted", {
  start: async ({ endsByItself }) =>
    endsByItself ? new ScriptedEngine({ vocabularySize: 50, endToken: 5 }) : new ScriptedEngine(),
});

describe("the scripted engine", () => {
  test("rejects work that does not begin where its slot ends", async () => {
    const engine = new ScriptedEngine();
    openRequest(engine, "a");
    const work = [{ requestId: "a", slot: 0, position: 3, tokens: [1], wantsToken: true }];
    await expect(evaluate(engine, { operations: [], work })).rejects.toThrow(
      "begins at position 3, but slot 0 holds 0",
    );
  });

  test("rejects more tokens than a slot holds, and requests that are not open", async () => {
    const engine = new ScriptedEngine({ slotTokens: 4 });
    openRequest(engine, "a");
    await expect(prefill(engine, { requestId: "a", slot: 0, prompt: [1, 2, 3, 4, 5] })).rejects.toThrow(
      "5 tokens in a slot for 4",
    );
    await expect(prefill(engine, { requestId: "b", slot: 0, prompt: [1] })).rejects.toThrow("b is not open");
  });

  test("dies at the step it was told to, once", async () => {
    const reasons: string[] = [];
    const observer = {
      progress: () => undefined,
      log: () => undefined,
      lost: (reason: string) => reasons.push(reason),
    };
    const engine = new ScriptedEngine({ diesAtStep: 2 }, observer);
    openRequest(engine, "a");
    await prefill(engine, { requestId: "a", slot: 0, prompt: [1, 2] });
    await expect(prefill(engine, { requestId: "a", slot: 1, prompt: [1] })).rejects.toBeInstanceOf(EngineLost);
    engine.die("once more");
    expect(reasons).toEqual(["The script ended the engine at step 2."]);
  });
});
