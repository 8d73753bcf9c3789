import { expect, it } from "vitest";
import { journalFile } from "../../electron/demo/journal-file";

it("one policy writes the journal that was named", () => {
  expect(journalFile("runs/run.jsonl", "topas", ["topas"])).toBe("runs/run.jsonl");
});

it("each of two policies writes a journal of its own", () => {
  expect(journalFile("runs/run.jsonl", "fcfs", ["fcfs", "topas"])).toBe("runs/run-fcfs.jsonl");
  expect(journalFile("run", "topas", ["fcfs", "topas"])).toBe("run-topas");
});

it("no journal is written that nobody asked for", () => {
  expect(journalFile(null, "fcfs", ["fcfs", "topas"])).toBeNull();
});
