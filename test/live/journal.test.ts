import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/sim/random";
import { replay } from "../../core/sim/replay";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import type { TopasEvent } from "../../core/topas/events";
import type { Input } from "../../core/topas/inputs";
import { type JournalLine, openJournal } from "../../electron/trace/journal";
import { slotEngine, smallCrewWorkload } from "../support/workloads";

const newFile = () => join(mkdtempSync(join(tmpdir(), "topas-journal-")), "run.ndjson");

describe("the journal", () => {
  it("says what to do when its file cannot be opened", async () => {
    const file = join(newFile(), "no-such-folder", "run.ndjson");
    await expect(openJournal(file, () => {})).rejects.toThrow(/cannot be written: .*Name another file with --journal/);
  });

  it("replays to the very events it holds", async () => {
    const file = newFile();
    const problems: string[] = [];
    const journal = await openJournal(file, (problem) => problems.push(problem));
    journal.write({ kind: "journal", version: 1, policy: "topas", config: defaultConfig });
    simulate({
      state: emptyState("topas"),
      config: defaultConfig,
      engine: slotEngine(4, 2048),
      workload: smallCrewWorkload(seededRandom(7)),
      watch(input, events) {
        journal.write({ kind: "input", input });
        for (const event of events) journal.write({ kind: "event", event });
      },
    });
    await journal.close();

    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JournalLine);
    const inputs: Input[] = lines.flatMap((line) => (line.kind === "input" ? [line.input] : []));
    const events: TopasEvent[] = lines.flatMap((line) => (line.kind === "event" ? [line.event] : []));
    expect(events.length).toBeGreaterThan(500);
    expect(replay({ policy: "topas", config: defaultConfig, inputs })).toEqual(events);
    expect(problems).toEqual([]);
  });

  it("ends with a word when the disk is full, and throws nothing", async () => {
    if (!existsSync("/dev/full")) return expect(process.platform).not.toBe("linux");
    let tell = (_: string) => {};
    const problem = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const journal = await openJournal("/dev/full", tell);
    journal.write({ kind: "journal", version: 1, policy: "topas", config: defaultConfig });
    expect(await problem).toContain("The server goes on");
    await journal.close();
  });

  it("is refused at the start when its folder is not there", async () => {
    await expect(openJournal("/nowhere/run.ndjson", () => undefined)).rejects.toThrow("ENOENT");
  });
});
