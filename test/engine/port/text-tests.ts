/** Text in and out: the prefix of a prompt, stop texts, text held back, text that goes on after a restart. */
import { expect, test } from "vitest";
import { decodeTogether, evaluate, generate, openRequest, prefill } from "../../support/drive-engine";
import type { PortBench } from "./port-bench";

const STEPS = 12;

export function textTests(port: PortBench): void {
  test("a stop text is never shown, also where it lies across two tokens", async () => {
    const prompt = await port.promptOf("stop across tokens");
    openRequest(port.engine, "a");
    const free = await generate(port.engine, { requestId: "a", slot: 0, prompt, steps: STEPS });
    const whole = free.map(({ text }) => text).join("");
    const border = free.findIndex(
      ({ text }, index) => index > 2 && text !== "" && (free[index + 1]?.text ?? "") !== "",
    );
    const stop = `${free[border]?.text.slice(-1)}${free[border + 1]?.text.slice(0, 1)}`;
    expect(whole).toContain(stop);

    openRequest(port.engine, "b", { stop: [stop] });
    const stopped = await generate(port.engine, { requestId: "b", slot: 1, prompt, steps: STEPS });
    expect(stopped.at(-1)?.ended).toBe("stop_text");
    expect(stopped.map(({ text }) => text).join("")).toBe(whole.slice(0, whole.indexOf(stop)));
    expect(stopped.some(({ heldText }) => heldText !== "" && stop.startsWith(heldText))).toBe(true);
  });

  test("text held back for a stop text is given beside the answer, for an answer that ends there", async () => {
    const prompt = await port.promptOf("held back");
    openRequest(port.engine, "a");
    const free = await generate(port.engine, { requestId: "a", slot: 0, prompt, steps: 4 });
    const whole = free.map(({ text }) => text).join("");
    openRequest(port.engine, "b", { stop: [`${whole} and more that never comes`] });
    const held = await generate(port.engine, { requestId: "b", slot: 1, prompt, steps: 4 });
    expect(held.map(({ text }) => text).join("")).toBe("");
    expect(held.at(-1)?.heldText).toBe(whole);
  });

  test("a request that was closed and opened again with its tokens continues its text without gap or repeat", async () => {
    const prompt = await port.promptOf("after a restart");
    openRequest(port.engine, "a");
    const free = await generate(port.engine, { requestId: "a", slot: 0, prompt, steps: STEPS });
    const cut = free.findIndex(({ text }, index) => index >= 4 && text !== "") + 1;
    // A stop text that seems to begin with the last character before the cut: that one is held back across it.
    const stop = [`${free[cut - 1]?.text.slice(-1)}~never~`];

    openRequest(port.engine, "b", { stop });
    const before = await generate(port.engine, { requestId: "b", slot: 1, prompt, steps: cut });
    expect(before.at(-1)?.heldText).toBe(stop[0]?.slice(0, 1));
    port.engine.close("b");
    openRequest(port.engine, "b", { stop, generated: before.map(({ token }) => token) });
    await prefill(port.engine, { requestId: "b", slot: 2, prompt, wantsToken: false });
    for (const [index, { token }] of before.slice(0, -1).entries()) {
      const work = { requestId: "b", slot: 2, position: prompt.length + index, tokens: [token], wantsToken: false };
      await evaluate(port.engine, { operations: [], work: [work] });
    }
    const position = prompt.length + cut - 1;
    const last = { requestId: "b", slot: 2, position, token: before.at(-1)?.token ?? 0 };
    const after = (await decodeTogether(port.engine, [last], STEPS - cut)).get("b") ?? [];
    const text = [...before, ...after].map((answer) => answer.text).join("") + (after.at(-1)?.heldText ?? "");
    expect(text).toBe(free.map((answer) => answer.text).join(""));
  });

  test("the leading system messages are the prefix that prompts share", async () => {
    const system = { role: "system", content: "You plan the work of a small crew." } as const;
    const [one, other] = await Promise.all(
      ["What is first?", "Say what comes last."].map((content) =>
        port.engine.encode({ kind: "chat", messages: [system, { role: "user", content }] }),
      ),
    );
    const prefix = one?.tokens.slice(0, one.prefixTokens);
    expect(prefix?.length).toBeGreaterThan(4);
    expect(other?.tokens.slice(0, other.prefixTokens)).toEqual(prefix);
    expect(other?.tokens).not.toEqual(one?.tokens);
    const bare = await port.engine.encode({ kind: "chat", messages: [{ role: "user", content: "Hello" }] });
    expect(bare.prefixTokens).toBe(0);
  });
}
