/** A recording from disk as a page shows it: its history, its decisions taken apart, and how far a broken one goes. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { emptyView } from "../../core/view/fold";
import { History, viewFolding } from "../../core/view/history";
import { recordingLines } from "../../core/view/recording-lines";
import { toViewEvent } from "../../core/view/view-event";
import type { JournalLine } from "../../electron/trace/journal";
import { openRecording } from "../../electron/trace/opened-recording";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { runWorld } from "../sim/properties/run-world";
import { smallWorld } from "../sim/properties/small-world";

const world = smallWorld(11, { pool: "slots", policy: "topas" });
const lines: JournalLine[] = [{ kind: "journal", version: 1, policy: world.policy, config: world.config }];
const history = new History(emptyView(world.policy), viewFolding);
runWorld(world, (_state, input, events) => {
  lines.push({ kind: "input", input });
  for (const event of events) {
    lines.push({ kind: "event", event });
    history.add(toViewEvent(event));
  }
});

function fileOf(written: readonly (JournalLine | string)[], name = "run.topas.jsonl.gz"): string {
  const file = path.join(temporaryFolder(), name);
  const text = written.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  writeFileSync(file, name.endsWith(".gz") ? gzipSync(text) : text);
  return file;
}

describe("a recording that is opened", () => {
  it("shows each moment as the server did, packed or not", async () => {
    for (const name of ["run.topas.jsonl.gz", "run.jsonl"]) {
      const opened = await openRecording(fileOf(lines, name));
      expect(opened.shown).toEqual({ name, simulated: true, problem: null });
      expect(opened.history.newest).toEqual(history.newest);
      const half = history.lastNumber >> 1;
      expect(opened.history.momentAt(half)).toEqual(history.momentAt(half));
    }
  });

  it("takes each decision apart as the server would, by running it again", async () => {
    const { inspect } = await openRecording(fileOf(lines));
    const decisions = lines.flatMap((line) =>
      line.kind === "event" && line.event.kind === "decision.made" ? [line.event.decision] : [],
    );
    for (const decision of [decisions[0], decisions.at(-1)]) {
      const result = await inspect(decision?.number ?? 0);
      expect(result.kind).toBe("found");
      expect(result.kind === "found" && result.inspection.verdict).toBe(decision?.verdict);
    }
    expect(await inspect(decisions.length + 1)).toEqual({ kind: "not_made", decisions: decisions.length });
  });

  it("says why decisions cannot be taken apart where only views were kept, or another scheduler made them", async () => {
    const views = [...recordingLines(history)].join("").trimEnd().split("\n");
    const shown = await openRecording(fileOf(views));
    expect(shown.history.newest).toEqual(history.newest);
    expect(await shown.inspect(1)).toMatchObject({
      kind: "failed",
      message: expect.stringMatching(/in the middle of its run/),
    });
    const other = lines.map((line) =>
      line.kind === "event" && line.event.number === 3
        ? { ...line, event: { ...line.event, atMs: line.event.atMs + 1e-6 } }
        : line,
    );
    expect(await (await openRecording(fileOf(other))).inspect(1)).toMatchObject({
      kind: "failed",
      message: expect.stringMatching(/another version/),
    });
  });

  it("goes as far as a cut file does, and names the line", async () => {
    const file = fileOf(lines, "run.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -30));
    const { shown, history: kept } = await openRecording(file);
    expect(shown.problem).toBe(`Line ${lines.length}: the file is cut off here: its last line is not whole.`);
    expect(kept.lastNumber).toBe(history.lastNumber - 1);
  });

  it("goes up to an event that makes no sense after what was before it", async () => {
    const at = lines.findIndex((line) => line.kind === "event" && line.event.kind === "decision.made");
    const made = lines[at];
    if (made?.kind !== "event") return expect.unreachable();
    const odd = JSON.stringify({ kind: "event", event: { ...made.event, decision: {} } });
    const { shown, history: kept } = await openRecording(fileOf([...lines.slice(0, at), odd, ...lines.slice(at + 1)]));
    expect(shown.problem).toMatch(new RegExp(`^Line ${at + 1}: event \\d+ does not fit what was before it\\.$`));
    expect(kept.newest).toEqual(history.momentAt(kept.lastNumber));
  });

  it.each([
    ["of another kind", "notes.txt", "Dear all", /notes\.txt: Line 1: this is not a recording of this app/],
    ["that is empty", "run.jsonl", "", /run\.jsonl: (Line 1: |The file is empty)/],
    ["that is no packed file", "run.jsonl.gz", "Dear all", /Line 1: the file is cut off here: the packed data ends/],
  ])("refuses a file %s with its name and line", async (_what, name, text, message) => {
    const file = path.join(temporaryFolder(), name);
    writeFileSync(file, text);
    await expect(openRecording(file)).rejects.toThrow(message);
  });

  it("refuses a file that is not there", async () => {
    await expect(openRecording("/nowhere/run.jsonl")).rejects.toThrow(/ENOENT/);
  });
});
