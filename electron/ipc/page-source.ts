/**
 * What one page shows: the running server, or a recording in its place. While it is a recording nothing can be done to the
 * server from this page, and what the server does meanwhile is not told.
 */
import type { AppStatus } from "../../core/contract/window";
import { traceText } from "../../core/view/trace-text";
import type { LiveView } from "../../core/view/view";
import type {
  EventBatch,
  FeedSource,
  KeptHistory,
  OpenedRecording,
  StopListening,
  WindowApp,
  WindowCommands,
} from "./window-app";

/** What changes the running server. */
const acts = [
  "runDemo",
  "stopDemo",
  "choosePolicy",
  "cancelRequest",
  "pauseQueue",
  "resumeQueue",
  "moveUp",
  "undoMoveUp",
  "pinPrefix",
  "unpinPrefix",
] as const satisfies readonly (keyof WindowCommands)[];

const refused = async () => ({ ok: false, message: "This is a recording: nothing in it can be changed." }) as const;

export class PageSource implements FeedSource {
  readonly #app: WindowApp;
  #recording: OpenedRecording | null = null;
  readonly #switchListeners = new Set<() => void>();

  constructor(app: WindowApp) {
    this.#app = app;
  }

  get status(): AppStatus {
    const { status } = this.#app;
    if (this.#recording === null) return status;
    const { shown, history } = this.#recording;
    return { ...status, outage: null, demo: { phase: "idle" }, recording: shown, nowMs: history.newest.atMs };
  }

  get history(): KeptHistory {
    return this.#recording?.history ?? this.#app.history;
  }

  get commands(): WindowCommands {
    const recording = this.#recording;
    if (recording === null) return this.#app.commands;
    const refusals = Object.fromEntries(acts.map((name) => [name, refused])) as Record<
      (typeof acts)[number],
      typeof refused
    >;
    return { ...this.#app.commands, ...refusals, inspectDecision: (decision) => recording.inspect(decision) };
  }

  snapshot(): LiveView {
    return this.#recording?.history.newest ?? this.#app.snapshot();
  }

  onStatus(listener: (status: AppStatus) => void): StopListening {
    return this.#app.onStatus(() => listener(this.status));
  }

  onEvents(listener: (batch: EventBatch) => void): StopListening {
    return this.#app.onEvents((batch) => {
      if (this.#recording === null) listener(batch);
    });
  }

  /** Something else is shown from now on. */
  onSwitch(listener: () => void): StopListening {
    this.#switchListeners.add(listener);
    return () => void this.#switchListeners.delete(listener);
  }

  /** Rejects where nothing of the file can be shown; what was shown before then stays. */
  async open(file: string, name?: string): Promise<void> {
    this.#show(await this.#app.openRecording(file, name));
  }

  close(): void {
    if (this.#recording !== null) this.#show(null);
  }

  /** What is shown as a Chrome trace, in pieces. */
  trace(): Iterable<string> {
    const { earliest, firstNumber, lastNumber } = this.history;
    return traceText(earliest, this.history.eventsBetween(firstNumber + 1, lastNumber));
  }

  #show(recording: OpenedRecording | null): void {
    this.#recording = recording;
    for (const listener of this.#switchListeners) listener();
  }
}
