/** What is wrong with a journal is said with its file and line, and what to do; a sound one replays exactly. */
import { describe, expect, it } from "vitest";
import { checkJournal } from "../../electron/sim/journal/check-journal";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { fileWith, journalOf, recordedLines, refusalOf } from "./journal-file";

const lines = recordedLines();
const check = (file: string, untilCut = false) => checkJournal(file, { untilCut, keepsRun: false });

/** The first line from `from` on that is one, as an index. */
function lineOf(kind: "input" | "event", from = 0): number {
  return lines.findIndex((line, index) => index >= from && line.startsWith(`{"kind":"${kind}"`));
}

function changed(index: number, change: (line: string) => string): string[] {
  return lines.map((line, at) => (at === index ? change(line) : line));
}

describe("a journal", () => {
  it("replays to the very events it holds", async () => {
    const journal = await check(journalOf(lines));
    expect(journal.difference).toBeNull();
    expect(journal.inputs + journal.events + 1).toBe(lines.length);
    expect(journal.cutAtLine).toBeNull();
  });

  it("may have its fields in any order, as other programs write them", async () => {
    const reversed = lines.map((line) => JSON.stringify(reverseFields(JSON.parse(line))));
    expect((await check(journalOf(reversed))).difference).toBeNull();
  });

  it("in which an event was changed is not identical, and the first one that differs is named", async () => {
    const at = lines.findIndex((line) => line.includes('"kind":"request.admitted"'));
    const event = JSON.parse(lines[at] ?? "").event;
    const other = changed(at, () => JSON.stringify({ kind: "event", event: { ...event, slot: event.slot + 1 } }));
    const { difference } = await check(journalOf(other));
    expect(difference).toMatchObject({ line: at + 1, eventNumber: event.number });
    expect(difference?.replayed).toEqual(event);
    expect(difference?.recorded).toEqual({ ...event, slot: event.slot + 1 });
  });

  it("in which an input was changed is not identical from its first other event on", async () => {
    const at = lines.findIndex((line) => line.includes('"kind":"request.submitted"'));
    const other = changed(at, (line) => line.replace('"maxTokens":8', '"maxTokens":1'));
    expect((await check(journalOf(other))).difference?.line).toBe(
      1 + lines.findIndex((line) => line.includes('"kind":"request.arrived"')),
    );
  });

  it("whose last line is not whole is refused, and replayed up to there where that is wanted", async () => {
    const text = lines.join("\n");
    const file = fileWith(text.slice(0, -30));
    expect(await refusalOf(check(file))).toEqual({
      code: 2,
      message: `${file}: line ${lines.length}: the journal is cut off here: its last line is not whole. Add --until-cut to use it up to there.`,
    });
    const journal = await check(file, true);
    expect(journal.difference).toBeNull();
    expect(journal.cutAtLine).toBe(lines.length);
  });

  it("that ends before the last event of an input is cut as well", async () => {
    const started = lines.findIndex((line) => line.includes('"kind":"batch.started"'));
    const file = journalOf(lines.slice(0, started));
    const { code, message } = await refusalOf(check(file));
    expect(code).toBe(2);
    expect(message).toMatch(
      /line \d+: the journal is cut off here: 1 of the events of its last input are missing\. Add --until-cut/,
    );
    expect((await check(file, true)).cutAtLine).toBe(started);
  });

  it("cut anywhere is either whole up to an input's end or said to be cut, and replays up to there", async () => {
    const text = `${lines.join("\n")}\n`;
    for (let length = (lines[0] ?? "").length + 2; length < text.length; length += 997) {
      const file = fileWith(text.slice(0, length));
      const journal = await check(file, true);
      expect(journal.difference).toBeNull();
      if (journal.cutAtLine === null) expect((await check(file)).events).toBe(journal.events);
      else
        expect((await refusalOf(check(file))).message).toContain(`line ${journal.cutAtLine}: the journal is cut off`);
    }
  });

  it.each<[string, () => string, RegExp]>([
    ["that is empty", () => fileWith(""), /run\.jsonl: line 1: the file is empty\. Name a .* --journal\.$/],
    ["that is a text", () => fileWith("Dear all\n"), /run\.jsonl: line 1: this is not a journal: .* --journal\.$/],
    ["that is another JSON file", () => fileWith('{"name":"x"}\n'), /line 1: this is not a journal/],
    ["that is not there", () => "/nowhere/run.jsonl", /^\/nowhere\/run\.jsonl: there is no such file\.$/],
    ["that is a folder", temporaryFolder, /: this is a folder, not a file\.$/],
    [
      "of another version",
      () => journalOf(changed(0, (line) => line.replace('"version":1', '"version":2'))),
      /line 1: the journal has version 2, this app reads version 1\. Use the app that wrote it\.$/,
    ],
    [
      "of an unknown policy",
      () => journalOf(changed(0, (line) => line.replace('"policy":"topas"', '"policy":"best"'))),
      /line 1: policy: there is no policy "best"\. There are topas, .*\. Use the app that wrote it\.$/,
    ],
    [
      "of a scheduler with other numbers",
      () => journalOf(changed(0, (line) => line.replace('"waitingMax":512,', ""))),
      /line 1: config\.waitingMax: this must be a number\. The journal is of another version of the scheduler/,
    ],
    [
      "with a line that is not JSON",
      () => journalOf(changed(5, () => "{")),
      /line 6: this line is not JSON\. Record the run anew/,
    ],
    [
      "with an event left out",
      () => journalOf(lines.filter((_, at) => at !== lineOf("event", 20))),
      /line \d+: the journal was changed: event \d+ does not follow: \d+ is next\./,
    ],
    [
      "with an event of the past",
      () =>
        journalOf(
          changed(
            lines.findLastIndex((line) => line.startsWith('{"kind":"event"')),
            (line) => line.replace(/"atMs":[\d.]+/g, '"atMs":1'),
          ),
        ),
      /the journal was changed: event \d+ is at 1 ms, the one before it at/,
    ],
    [
      "with an event of no known kind",
      () => journalOf(changed(lineOf("event"), (line) => line.replace('"engine.ready"', '"engine.found"'))),
      /line 3: the journal was changed: event\.kind: This must be .*engine\.ready/,
    ],
    [
      "with an event before any input",
      () => journalOf([lines[0] ?? "", ...lines.slice(2)]),
      /line 2: the journal was changed: this event comes before any input\./,
    ],
    [
      "with an input that lacks a field",
      () =>
        journalOf(
          changed(
            lines.findIndex((line) => line.includes("request.submitted")),
            (line) => line.replace(/"promptTokens":\[[^\]]*\],/, ""),
          ),
        ),
      /line \d+: the journal was changed: input\.request\.promptTokens: This field is missing\./,
    ],
    [
      "with two runs in it",
      () => journalOf([...lines, ...lines]),
      /line \d+: the journal was changed: a second journal begins here\./,
    ],
  ])("%s is refused with code 2", async (_, file, message) => {
    const refusal = await refusalOf(check(file()));
    expect(refusal.message).toMatch(message);
    expect(refusal.code).toBe(2);
  });
});

function reverseFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, reverseFields(field)])
      .reverse(),
  );
}
