/** The journal that is always on: its parts are one recording, the oldest go, and a disk that fails costs nothing but history. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { TopasEvent } from "../../core/topas/events";
import type { Input } from "../../core/topas/inputs";
import { emptyView, foldEvent } from "../../core/view/fold";
import type { RecordedItem } from "../../core/view/recording";
import type { LiveView } from "../../core/view/view";
import { toViewEvent } from "../../core/view/view-event";
import { checkJournal } from "../../electron/sim/journal/check-journal";
import { type JournalLimits, KeptJournal } from "../../electron/trace/kept-journal";
import { readRecording } from "../../electron/trace/recording-file";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { runWorld } from "../sim/properties/run-world";
import { type SmallWorld, smallWorld } from "../sim/properties/small-world";

const world = smallWorld(11, { pool: "slots", policy: "topas" });

function begun(folder: string, limits: Partial<JournalLimits> = {}, keepsTexts = false) {
  let view = emptyView("topas");
  const problems: (string | null)[] = [];
  const journal = new KeptJournal({
    ...{ folder, config: world.config, keepsTexts, limits },
    view: () => view,
    onProblem: (problem) => problems.push(problem),
  });
  const steps = stepsOf(world).map(({ input, events }) => () => {
    journal.input(input);
    for (const event of events) {
      view = foldEvent(view, toViewEvent(event));
      journal.event(event);
    }
  });
  const run = () => {
    for (const step of steps) step();
  };
  return { journal, problems, steps, run, view: () => view };
}

function stepsOf(small: SmallWorld) {
  const steps: { readonly input: Input; readonly events: readonly TopasEvent[] }[] = [];
  runWorld(small, (_state, input, events) => void steps.push(structuredClone({ input, events })));
  return steps;
}

async function saved(journal: KeptJournal, folder: string): Promise<string> {
  const recording = await journal.recording();
  if (recording === null) throw new Error("There is no recording on disk.");
  const file = path.join(folder, "saved.jsonl.gz");
  const pieces: Buffer[] = [];
  for await (const piece of recording) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

async function opened(file: string) {
  let view: LiveView | null = null;
  const kinds: RecordedItem["kind"][] = [];
  for await (const item of readRecording(file)) {
    kinds.push(item.kind);
    if (item.kind === "start") view = item.view;
    else if (item.kind === "event" && view !== null) view = foldEvent(view, item.event);
    else if (item.kind === "problem") expect.unreachable(item.problem.message);
  }
  return { view, kinds };
}

describe("the journal that is kept", () => {
  it("is one recording that replays, in however many parts it was written", async () => {
    const folder = temporaryFolder();
    const { journal, problems, run, view } = begun(folder, { partBytesMax: 1_000, pieceCharacters: 20_000 });
    run();
    const file = await saved(journal, folder);
    const checked = await checkJournal(file, { untilCut: false, keepsRun: true });
    expect(checked.difference).toBeNull();
    expect(checked.events).toBe(view().eventNumber);
    expect((await opened(file)).view).toEqual(view());
    expect(problems).toEqual([]);
    await journal.close();
  });

  it("begins later parts with the view, deletes the oldest, and what is left can still be opened", async () => {
    const folder = temporaryFolder();
    const limits = { partBytesMax: 2_000, pieceCharacters: 4_000, folderBytesMax: 12_000 };
    const { journal, problems, steps, view } = begun(folder, limits);
    for (const [index, step] of steps.entries()) {
      step();
      if (index % 5 === 0) await journal.recording(); // a turn for the disk
    }
    const file = await saved(journal, folder);
    const { view: last, kinds } = await opened(file);
    expect(last).toEqual(view());
    expect(kinds.filter((kind) => kind === "event").length).toBeLessThan(view().eventNumber);
    const parts = readdirSync(folder).filter((name) => name.endsWith(".topas.jsonl.gz"));
    const bytes = parts.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    expect(parts.length).toBeGreaterThan(2);
    expect(bytes).toBeLessThanOrEqual(12_000);
    await expect(checkJournal(file, { untilCut: false, keepsRun: false })).rejects.toThrow(
      /older parts of it were deleted/,
    );
    expect(problems).toEqual([]);
    await journal.close();
  });

  it("holds prompts and answers only where the user wants them", async () => {
    for (const keepsTexts of [false, true]) {
      const folder = temporaryFolder();
      const { journal, run } = begun(folder, {}, keepsTexts);
      const prompts = stepsOf(world).flatMap(({ input }) =>
        input.kind === "request.submitted" ? [JSON.stringify(input.request.promptTokens)] : [],
      );
      run();
      const recording = await journal.recording();
      const written = await text((recording as NodeJS.ReadableStream).pipe(createGunzip()));
      expect(prompts.every((prompt) => written.includes(prompt))).toBe(keepsTexts);
      expect(prompts.some((prompt) => written.includes(prompt))).toBe(keepsTexts);
      await journal.close();
    }
  });

  it("stops with a word when the disk fails, and goes on by itself when it works again", async () => {
    const folder = path.join(temporaryFolder(), "journal");
    writeFileSync(folder, "a file where the folder should be");
    const { journal, problems, steps, view } = begun(folder, { retryMs: 0 });
    const half = steps.length >> 1;
    for (const step of steps.slice(0, half)) step();
    expect(await journal.recording()).toBeNull();
    expect(problems[0]).toMatch(
      /^The journal on disk has stopped: EEXIST.*\. The server goes on, and so will the journal\.$/,
    );
    rmSync(folder);
    const seen = view().eventNumber;
    for (const step of steps.slice(half)) step();
    const { view: last, kinds } = await opened(await saved(journal, path.dirname(folder)));
    expect(last).toEqual(view());
    expect(kinds.filter((kind) => kind === "event")).toHaveLength(view().eventNumber - seen);
    expect(problems.slice(1)).toEqual([null]);
    await journal.close();
  });

  it("is readable up to its last piece after a crash in the middle of one", async () => {
    const folder = temporaryFolder();
    const { journal, run } = begun(folder, { pieceCharacters: 4_000 });
    run();
    await journal.close();
    const file = path.join(folder, readdirSync(folder)[0] ?? "");
    const whole = readFileSync(file).length;
    truncateSync(file, whole - 40);
    const items: RecordedItem[] = [];
    for await (const item of readRecording(file)) items.push(item);
    const last = items.at(-1);
    expect(last?.kind === "problem" && last.problem.message).toMatch(
      /^Line \d+: the file is cut off here: the packed data ends/,
    );
    expect(items.filter(({ kind }) => kind === "event").length).toBeGreaterThan(50);
  });
});
