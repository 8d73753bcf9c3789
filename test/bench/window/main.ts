/**
 * The app's shell, page and feed around a scripted run in place of a server: what the bench of the window starts. `TOPAS_BENCH` says
 * where the built app is and whether events come live or an hour of them has been.
 */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { app } from "electron";
import type { AppStatus } from "../../../core/contract/window";
import { defaultConfig } from "../../../core/topas/config";
import type { TopasEvent } from "../../../core/topas/events";
import type { Input } from "../../../core/topas/inputs";
import { emptyView } from "../../../core/view/fold";
import { History, viewFolding } from "../../../core/view/history";
import { toViewEvent, type ViewEvent } from "../../../core/view/view-event";
import { createEventFeed } from "../../../electron/app/event-feed";
import type { WindowApp, WindowCommands } from "../../../electron/ipc/window-app";
import { realTimers } from "../../../electron/live/timers";
import { KeptJournal } from "../../../electron/trace/kept-journal";
import { openRecording } from "../../../electron/trace/opened-recording";
import { runShell } from "../../../electron/window/run-shell";
import { readyStatus } from "../../renderer/made-up/ready-status";
import { type RunShape, scriptedRun } from "./scripted-run";

/** What the bench may ask of this process. */
export interface BenchHooks {
  begin(): void;
  /** Events sent, and how long that took. */
  sent(): { readonly events: number; readonly seconds: number; readonly isOver: boolean };
  journalMiB(): Promise<number>;
  rendererMiB(): number;
  /** From which time on it can be shown, and what of it is kept. */
  kept(): { readonly fromMs: number; readonly events: number };
}

interface Setting {
  readonly builtFolder: string;
  readonly run: RunShape;
  readonly isLive: boolean;
}

/** How often what is due is sent: more often than the page draws. */
const turnMs = 4;

const { builtFolder, run, isLive } = JSON.parse(process.env.TOPAS_BENCH ?? "") as Setting;
const history = new History(emptyView("topas"), viewFolding);
const timers = realTimers();
const listeners: ((event: ViewEvent) => void)[] = [];
const feed = createEventFeed({ timers, onViewEvent: (listener) => void listeners.push(listener) });
const journalFolder = join(app.getPath("temp"), `topas-bench-journal-${process.pid}`);
mkdirSync(journalFolder);
const journal = new KeptJournal({
  ...{ folder: journalFolder, config: defaultConfig, keepsTexts: false },
  view: () => history.newest,
  onProblem: (problem) => console.error(problem),
});

const steps: { readonly input: Input; readonly events: readonly TopasEvent[] }[] = [];
scriptedRun(run, (input, events) => {
  if (isLive) steps.push({ input, events });
  else for (const event of events) history.add(toViewEvent(event));
});

let beganAt: number | null = null;
let endedAt: number | null = null;
let at = 0;
let events = 0;

function sendDue(): void {
  const nowMs = performance.now() - (beganAt ?? 0);
  for (let step = steps[at]; step !== undefined && step.input.atMs <= nowMs; step = steps[at]) {
    journal.input(step.input);
    for (const event of step.events) {
      journal.event(event);
      const viewEvent = toViewEvent(event);
      history.add(viewEvent);
      for (const listener of listeners) listener(viewEvent);
      events += 1;
    }
    at += 1;
  }
  if (at >= steps.length) endedAt ??= performance.now();
  else setTimeout(sendDue, turnMs);
}

const hooks: BenchHooks = {
  begin() {
    beganAt = performance.now();
    sendDue();
  },
  sent: () => ({
    events,
    seconds: ((endedAt ?? performance.now()) - (beganAt ?? 0)) / 1000,
    isOver: endedAt !== null,
  }),
  async journalMiB() {
    await journal.recording();
    const bytes = readdirSync(journalFolder).map((name) => statSync(join(journalFolder, name)).size);
    return bytes.reduce((sum, one) => sum + one, 0) / 1024 ** 2;
  },
  kept: () => ({ fromMs: history.earliest.atMs, events: history.size.events }),
  rendererMiB: () => (app.getAppMetrics().find(({ type }) => type === "Tab")?.memory.workingSetSize ?? 0) / 1024,
};
Object.assign(globalThis, { bench: hooks });

const status = (): AppStatus => ({
  ...readyStatus,
  nowMs: beganAt === null ? history.newest.atMs : performance.now() - beganAt,
});
const scripted: WindowApp = {
  get status() {
    return status();
  },
  onStatus: () => () => {},
  snapshot: () => history.newest,
  history,
  onEvents: (listener) => feed.listen(({ events: sent }) => listener({ events: sent, nowMs: status().nowMs })),
  commands: {} as WindowCommands,
  openRecording,
  recording: async () => {
    throw new Error("There is nothing to record here.");
  },
  dispose: async () => {},
};

runShell({ builtFolder, startApp: async () => scripted, drainMs: 0, recordingFile: null });
