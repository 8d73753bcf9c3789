/** What is kept of a run, taken over HTTP while it runs: as a recording and as a Chrome trace. */
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { TraceEvent } from "../../core/view/chrome-trace";
import { foldEvent } from "../../core/view/fold";
import { RecordingReader } from "../../core/view/recording";
import type { LiveView } from "../../core/view/view";
import { ask, type Served, serveScripted } from "./scripted-server";

async function afterThreeRequests(): Promise<Served> {
  const served = await serveScripted();
  for (const tag of ["one", "two", "three"]) await served.client.chat.completions.create(ask(tag, 20));
  return served;
}

it("a recording, folded, is the view of the server", async () => {
  const { url, live } = await afterThreeRequests();
  const response = await fetch(`${url}/recording`);
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("content-disposition")).toMatch(/filename="topas-[\dT-]+\.topas\.jsonl\.gz"/);
  const text = gunzipSync(await response.arrayBuffer()).toString();
  const reader = new RecordingReader();
  let view: LiveView | null = null;
  for (const line of text.trimEnd().split("\n")) {
    const item = reader.line(line);
    if (item.kind === "start") view = item.view;
    else if (item.kind === "event" && view !== null) view = foldEvent(view, item.event);
    else if (item.kind === "problem") expect.unreachable(item.problem.message);
  }
  expect(view).toEqual(live.view);
  expect(text).not.toContain("shared12");
});

it("a trace has a track for each slot and a decision for each admission", async () => {
  const { url } = await afterThreeRequests();
  const response = await fetch(`${url}/trace.json`);
  expect(response.headers.get("content-type")).toContain("application/json");
  const { traceEvents } = (await response.json()) as { traceEvents: TraceEvent[] };
  const tracks = traceEvents.flatMap(({ name, args }) => (name === "thread_name" ? [args?.name] : []));
  expect(tracks).toEqual(["Decisions", "Slot 0", "Slot 1"]);
  expect(traceEvents.filter(({ cat, name }) => cat === "decision" && name === "admit")).toHaveLength(3);
  expect(traceEvents.filter(({ ph, cat }) => ph === "X" && cat === "decode")).toHaveLength(3);
});
