import { describe, expect, it } from "vitest";
import { emptyView } from "../../core/view/fold";
import { History, viewFolding } from "../../core/view/history";
import { type RecordedItem, RecordingReader } from "../../core/view/recording";
import { recordingLines } from "../../core/view/recording-lines";
import type { ViewEvent } from "../../core/view/view-event";

const head = JSON.stringify({ kind: "journal", version: 1, policy: "fcfs" });
const event = (number: number, more: object = { kind: "queue.paused" }) =>
  JSON.stringify({ kind: "view", event: { number, atMs: number * 10, ...more } });

function read(lines: readonly string[]): RecordedItem[] {
  const reader = new RecordingReader();
  return lines.map((line) => reader.line(line));
}
const problems = (items: readonly RecordedItem[]) =>
  items.flatMap((item) => (item.kind === "problem" ? [item.problem.message] : []));

describe("reading a recording", () => {
  it("gives back the history that was written, also from the middle of a run", () => {
    const start = { ...emptyView("topas"), eventNumber: 41, atMs: 5 };
    const history = new History(start, viewFolding);
    for (let number = 42; number < 1_400; number += 1) history.add({ kind: "alarm.set", number, atMs: number });
    const items = read([...recordingLines(history)].join("").trimEnd().split("\n"));
    expect(items[0]).toEqual({ kind: "start", view: start });
    const events = items.flatMap((item): ViewEvent[] => (item.kind === "event" ? [item.event] : []));
    expect(events).toEqual(history.eventsBetween(42, 1_400));
    expect(problems(items)).toEqual([]);
  });

  it("goes as far as the file makes sense and names the line where it stops", () => {
    const items = read([head, event(1), event(2), event(4), event(5)]);
    expect(items.map(({ kind }) => kind)).toEqual(["start", "event", "event", "problem", "nothing"]);
    expect(problems(items)).toEqual(["Line 4: event 4 does not follow: 3 is next."]);
  });

  it("says of a foreign file that it is none", () => {
    expect(problems(read(['{"traceEvents":[]}']))).toEqual([
      "Line 1: this is not a recording of this app: it does not begin as one.",
    ]);
    expect(problems(read(["PK..."]))[0]).toContain("Line 1:");
    expect(problems(read([JSON.stringify({ kind: "journal", version: 9, policy: "fcfs" })]))[0]).toContain("version 9");
  });

  it("says of a last line that is not whole that the file is cut off", () => {
    const reader = new RecordingReader();
    reader.line(head);
    expect(reader.line('{"kind":"vi', false)).toEqual({
      kind: "problem",
      problem: { line: 2, message: "Line 2: the file is cut off here: its last line is not whole." },
    });
  });

  it("refuses events that the fold would stumble over", () => {
    for (const wrong of [{ kind: "request.admitted" }, { kind: "no.such" }, { kind: "batch.finished", drawn: 3 }])
      expect(problems(read([head, event(1, wrong)]))[0]).toMatch(/^Line 2: /);
    expect(problems(read([head, '{"kind":"event","event":{"kind":"request.arrived","number":1,"atMs":1}}']))[0]).toBe(
      "Line 2: this event is not whole.",
    );
  });
});
