/**
 * Measures how smoothly the page draws while eight slots decode at 60 steps a second and the queue is decided anew four
 * times a second. Run: npx tsx test/renderer/frame-times.ts [--json FILE]. Needs the tests' Electron.
 */
import { writeFileSync } from "node:fs";
import type { LiveView } from "../../core/view/view";
import { openBrowser } from "./browser";
import { busyView } from "./made-up/busy-view";
import { NOW_MS } from "./made-up/parts";
import { readyStatus } from "./made-up/ready-status";
import { openPage } from "./open-page";
import { buildPage, servePage } from "./vite-page";

const SECONDS = 8;

/** The busy moment with eight running slots and twenty waiting requests. */
function crowdedView(): LiveView {
  const running = Array.from({ length: 8 }, (_, index) => `worker#${index + 10}`);
  const waiting = Array.from({ length: 20 }, (_, index) => `coder#${index + 10}`);
  const model = busyView.requests["worker#3"];
  const row = busyView.queue[0];
  if (!model || !row) throw new Error("The busy moment has no worker#3 or no queue.");
  const requests = Object.fromEntries([
    ...running.map((id, slot) => [id, { ...model, requestId: id, label: id, slot, maxTokens: 1_000 }] as const),
    ...waiting.map(
      (id) =>
        [id, { ...model, requestId: id, label: id, agent: "coder", phase: "waiting" as const, slot: null }] as const,
    ),
  ]);
  return {
    ...busyView,
    engine: { ...busyView.engine, slots: 8 },
    requests: { ...busyView.requests, ...requests },
    slots: running.map((requestId, slot) => ({
      slot,
      requestId,
      agent: "worker",
      prefixTokens: 768,
      heldTokens: 800 + slot * 90,
      toPrefillTokens: 0,
      forkedFrom: slot % 3 === 2 ? slot - 1 : null,
      idleSinceMs: null,
      keptFor: null,
    })),
    queue: waiting.map((requestId, index) => ({ ...row, requestId, place: index + 1 })),
  };
}

interface Frames {
  readonly intervalsMs: readonly number[];
}

/** Runs in the page: sends the events of one step every 1/60 s and notes when frames are drawn. */
async function drive({ seconds, nowMs, view }: { seconds: number; nowMs: number; view: LiveView }): Promise<Frames> {
  const send = (window as unknown as { sendToPage(message: unknown): void }).sendToPage;
  const running = view.slots.map((slot) => slot.requestId);
  let number = view.eventNumber;
  let step = 0;
  const startedAt = performance.now();
  const intervalsMs: number[] = [];
  const one = () => {
    step += 1;
    const atMs = nowMs + performance.now() - startedAt;
    const stamp = () => {
      number += 1;
      return { number, atMs };
    };
    const events: unknown[] = [
      { kind: "batch.started", work: running.map((requestId, slot) => ({ requestId, slot, tokens: 1 })), ...stamp() },
      { kind: "batch.finished", drawn: running, failedRequests: [], ...stamp() },
    ];
    if (step % 15 === 0) {
      const turned = view.queue.map((row, index) => ({
        ...row,
        requestId: view.queue[(index + step / 15) % view.queue.length]?.requestId,
      }));
      const decision = {
        number: step,
        atMs,
        policy: "topas",
        trigger: "completion",
        candidates: [],
        verdict: "",
        kept: null,
        waits: turned,
      };
      events.push({ kind: "decision.made", decision, ...stamp() });
    }
    send({ kind: "events", events, nowMs: atMs });
  };
  const timer = setInterval(one, 1_000 / 60);
  await new Promise<void>((done) => {
    let last = performance.now();
    const frame = (now: number) => {
      intervalsMs.push(now - last);
      last = now;
      if (now - startedAt < seconds * 1_000) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  });
  clearInterval(timer);
  return { intervalsMs };
}

async function main(): Promise<void> {
  await buildPage("test/artifacts/page");
  const { url, server } = await servePage("test/artifacts/page");
  const browser = await openBrowser();
  const view = crowdedView();
  const viewport = { width: 1440, height: 900 };
  const { page, problems } = await openPage(browser, { url, view, status: readyStatus, colorScheme: "dark", viewport });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
  };
  const before = await read();
  const { intervalsMs } = await page.evaluate(drive, { seconds: SECONDS, nowMs: NOW_MS, view });
  const after = await read();
  const sorted = [...intervalsMs].sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
  const perFrame = (name: string) => Number(((after(name) - before(name)) / intervalsMs.length).toFixed(2));
  const result = {
    framesPerSecond: Number((intervalsMs.length / SECONDS).toFixed(1)),
    intervalMsP50: at(0.5),
    intervalMsP99: at(0.99),
    perFrameMs: {
      script: perFrame("ScriptDuration"),
      style: perFrame("RecalcStyleDuration"),
      layout: perFrame("LayoutDuration"),
      task: perFrame("TaskDuration"),
    },
    problems,
  };
  await page.screenshot({ path: "test/artifacts/window/crowded.png" });
  await browser.close();
  server.close();
  console.log(JSON.stringify(result, null, 2));
  const json = process.argv.indexOf("--json");
  const file = process.argv[json + 1];
  if (json > 0 && file) writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

await main();
