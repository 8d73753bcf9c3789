/** The whole server: finds and loads the model, schedules, serves HTTP, runs the demo. The same with and without a window. */
import type { FastifyInstance } from "fastify";
import type { StartEngine } from "../../core/contract/engine";
import type { PolicyName } from "../../core/contract/policy-name";
import type { CommandResult } from "../../core/contract/window";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import type { Models } from "../http/enter-model";
import type { HttpLog } from "../http/http-context";
import { recordingInMemory } from "../http/recording";
import { createHttpServer, type HttpServer } from "../http/server";
import type { WindowApp } from "../ipc/window-app";
import { createLive, type RunningLive } from "../live/create-live";
import { type Journal, openJournal } from "../trace/journal";
import { KeptJournal } from "../trace/kept-journal";
import { openRecording } from "../trace/opened-recording";
import { registerWebUi } from "../web/web-ui";
import { createStatusBoard, type StatusBoard } from "./app-status";
import { createDemoRunner } from "./demo-runner";
import { createEventFeed } from "./event-feed";
import { createLog } from "./log";
import { createModelShelf, type ModelParts } from "./model-shelf";
import type { ServerOptions } from "./options";
import { queueCommands } from "./queue-commands";

/** What the composition roots bring: everything that touches llama.cpp or the disk. */
export interface AppParts extends ModelParts {
  readonly version: string;
  readonly startEngine: StartEngine;
  /** Where the journal is kept that is always on. */
  readonly journalFolder: string;
  /** With the window's page as built, for browsers. */
  readonly pageFolder: string;
}

export interface App extends WindowApp {
  readonly live: RunningLive;
  /** Answers that `dispose` will wait for. */
  readonly openAnswers: number;
  /** Finds and loads the model that the options name. Never rejects: the status says what went wrong. */
  loadModel(namedPath: string | null): Promise<CommandResult>;
}

/** Rejects when the journal cannot be opened. */
export async function createApp(options: ServerOptions, parts: AppParts): Promise<App> {
  const config = { ...defaultConfig, waitingMax: options.queueMax };
  const live = createLive({ startEngine: parts.startEngine, policy: options.policy, config });
  const log = createLog();
  const journal =
    options.journal === null
      ? null
      : await startJournal(options.journal, { policy: options.policy, config }, live, log);
  const board = createStatusBoard(live, parts.version);
  const keptJournal = keepJournal(options, parts, live, board, log);
  const feed = createEventFeed(live);
  const demo = createDemoRunner(board);
  const shelf = createModelShelf(options, parts, live, board);
  let server: HttpServer | null = null;
  const { loadModel } = shelf;
  let disposal: Promise<void> | null = null;

  const app: App = {
    live,
    loadModel,
    get status() {
      return board.status;
    },
    onStatus: board.listen,
    snapshot: () => live.view,
    history: live.history,
    onEvents: feed.listen,
    openRecording,
    recording: async () => (await keptJournal?.recording()) ?? recordingInMemory(live.history),
    commands: {
      async runDemo() {
        if (server === null) return { ok: false, message: board.status.serverProblem ?? "The server is not running." };
        const { url: baseUrl } = server;
        return demo.start({ baseUrl, apiKey: options.apiKey, whenReady: shelf.whenReady });
      },
      stopDemo: async () => demo.stop(),
      async choosePolicy(policy) {
        live.choosePolicy(policy);
        return { ok: true };
      },
      loadModelFile: (path) => loadModel(path),
      loadStarterModel: () => loadModel(null),
      async cancelRequest(requestId) {
        live.cancel(requestId, "Cancelled in the window.");
        return { ok: true };
      },
      ...queueCommands(live),
      inspectDecision: (decision) => live.inspect(decision),
      async restartEngine() {
        await live.supervisor.retry();
        return { ok: true };
      },
      readEngineLog: async () => live.supervisor.log.join("\n"),
    },
    get openAnswers() {
      return server?.openAnswers ?? 0;
    },
    dispose() {
      if (disposal !== null) void server?.close();
      disposal ??= (async () => {
        demo.stop();
        await server?.drain(options.drainS * 1000);
        await server?.close();
        await live.shutdown();
        await Promise.all([journal?.close(), keptJournal?.close()]);
      })();
      return disposal;
    },
  };
  const addPages = (pages: FastifyInstance) =>
    registerWebUi(pages, { app, pageFolder: parts.pageFolder, apiKey: options.apiKey });
  server = await openServer(options, live, shelf.models, board, log, keptJournal, addPages);
  return app;
}

/** Every input and event from the first one on. */
async function startJournal(
  file: string,
  head: { readonly policy: PolicyName; readonly config: SchedulerConfig },
  live: RunningLive,
  log: HttpLog,
): Promise<Journal> {
  const journal = await openJournal(file, (problem) => log.error({ file }, problem));
  journal.write({ kind: "journal", version: 1, ...head });
  live.driver.onInput((input) => journal.write({ kind: "input", input }));
  live.driver.onEvent((event) => journal.write({ kind: "event", event }));
  return journal;
}

function keepJournal(
  { keptJournalBytes, journalTexts }: ServerOptions,
  { journalFolder }: AppParts,
  live: RunningLive,
  board: StatusBoard,
  log: HttpLog,
): KeptJournal | null {
  if (keptJournalBytes === 0) return null;
  const journal = new KeptJournal({
    folder: journalFolder,
    config: defaultConfig,
    view: () => live.view,
    keepsTexts: journalTexts,
    limits: { folderBytesMax: keptJournalBytes },
    onProblem(problem) {
      if (problem !== null) log.warn({ folder: journalFolder }, problem);
      board.setJournalProblem(problem);
    },
  });
  live.driver.onInput((input) => journal.input(input));
  live.driver.onEvent((event) => journal.event(event));
  return journal;
}

/** The window opens even when the port is taken, and says so; the headless server ends with the same words. */
async function openServer(
  options: ServerOptions,
  live: RunningLive,
  models: Models,
  board: StatusBoard,
  log: HttpLog,
  keptJournal: KeptJournal | null,
  addPages: (pages: FastifyInstance) => void,
): Promise<HttpServer | null> {
  try {
    const { host, port, apiKey, agentsFile } = options;
    const server = await createHttpServer({
      ...{ live, models, host, port, apiKey: apiKey ?? undefined, agentsFile, log },
      recordingOnDisk: async () => keptJournal?.recording() ?? null,
      addPages,
    });
    board.setServer(server.url, null);
    return server;
  } catch (error) {
    board.setServer(null, error instanceof Error ? error.message : String(error));
    return null;
  }
}
