import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextStream } from "../../native-models/engine/text-stream";

/** Tokens here are single bytes: the hardest borders there are. */
const bytesToText = (tokens: readonly number[]) => Buffer.from(tokens).toString("utf8");

function show(
  text: string,
  stop: readonly string[],
): { shown: string; held: string; stopped: boolean; steps: string[] } {
  const stream = new TextStream(bytesToText, stop);
  const steps: string[] = [];
  for (const byte of Buffer.from(text, "utf8")) {
    const step = stream.push(byte);
    steps.push(step.text);
    if (step.stopText !== null) return { shown: steps.join(""), held: "", stopped: true, steps };
  }
  return { shown: steps.join(""), held: stream.heldText, stopped: false, steps };
}

describe("the text of an answer", () => {
  test("comes in whole characters, whatever bytes a token holds", () => {
    expect(show("a€😀b", []).steps).toEqual(["a", "", "", "€", "", "", "", "😀", "b"]);
  });

  test("ends where a stop text begins, whatever text it is", () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText, { maxLength: 3 }), (text, stops) => {
        const stop = stops.filter((each) => each !== "");
        const ends = stop.map((each) => text.indexOf(each)).filter((at) => at >= 0);
        const { shown, held, stopped } = show(text, stop);
        expect(stopped).toBe(ends.length > 0);
        if (stopped) expect(text.startsWith(shown) && shown.length >= Math.min(...ends)).toBe(true);
        else expect(shown + held).toBe(text);
        for (const each of stop) expect(shown).not.toContain(each);
        if (held !== "") expect(stop.some((each) => each.startsWith(held))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("goes on without gap or repeat in a new stream that was given its tokens", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, cut) => {
        const bytes = [...Buffer.from(text, "utf8")];
        const [before, after] = [bytes.slice(0, cut), bytes.slice(cut)];
        const first = new TextStream(bytesToText, ["abba"]);
        const shown = before.map((byte) => first.push(byte));
        if (shown.some(({ stopText }) => stopText !== null)) return;
        const second = new TextStream(bytesToText, ["abba"]);
        for (const byte of before) second.push(byte);
        expect(second.heldText).toBe(first.heldText);
        expect(after.map((byte) => second.push(byte))).toEqual(after.map((byte) => first.push(byte)));
      }),
    );
  });

  test("gives what it held back when the answer ends by itself, broken bytes as replacement characters", () => {
    const stream = new TextStream(bytesToText, ["stop"]);
    for (const byte of Buffer.from("we st", "utf8")) stream.push(byte);
    expect(stream.heldText).toBe("st");
    stream.push(0xe2);
    expect(stream.finish()).toBe("st\uFFFD");
  });

  test("never waits for ever for bytes that make no character", () => {
    const stream = new TextStream(bytesToText, []);
    const shown = Array.from({ length: 100 }, () => stream.push(0xff).text).join("");
    expect(shown.length).toBeGreaterThan(90);
    expect(stream.push(0x61).text.endsWith("a")).toBe(true);
  });
});

const anyText = fc.string({ unit: fc.constantFrom("a", "b", "é", "€", "😀", " "), maxLength: 12 });
