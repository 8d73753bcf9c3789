/** The app's status as the window and /health's readers see it, kept in one place and told on each change. */
import type { AppStatus, DemoStatus, EngineOutage, ModelStatus } from "../../core/contract/window";
import type { LiveView } from "../../core/view/view";
import type { StopListening } from "../ipc/window-app";
import type { RunningLive } from "../live/create-live";
import { restartDelaysMs } from "../live/engine-supervisor";

export interface StatusBoard {
  readonly status: AppStatus;
  listen(listener: (status: AppStatus) => void): StopListening;
  /** What is known before the engine has the model. */
  setModel(model: ModelStatus): void;
  /** The engine begins to load this one: from now on its own phase counts. */
  nameModel(name: string): void;
  setDemo(demo: DemoStatus): void;
  setServer(url: string | null, problem: string | null): void;
  setJournalProblem(problem: string | null): void;
}

export function createStatusBoard(live: RunningLive, version: string): StatusBoard {
  const listeners = new Set<(status: AppStatus) => void>();
  let model: ModelStatus | null = { phase: "none" };
  let demo: DemoStatus = { phase: "idle" };
  let url: string | null = null;
  let serverProblem: string | null = null;
  let journalProblem: string | null = null;
  let modelName = "model";

  const status = (): AppStatus => ({
    version,
    platform: process.platform,
    url,
    serverProblem,
    journalProblem,
    model: model ?? engineModel(live, modelName),
    outage: outageOf(live),
    demo,
    recording: null,
    nowMs: live.timers.now(),
  });

  function tell(): void {
    for (const listener of listeners) listener(status());
  }
  live.onEngineChange(tell);

  return {
    get status() {
      return status();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setModel(next) {
      model = next;
      tell();
    },
    nameModel(name) {
      model = null;
      modelName = name;
    },
    setDemo(next) {
      demo = next;
      tell();
    },
    setServer(nextUrl, problem) {
      url = nextUrl;
      serverProblem = problem;
      tell();
    },
    setJournalProblem(problem) {
      journalProblem = problem;
      tell();
    },
  };
}

function engineModel(live: RunningLive, name: string): ModelStatus {
  const { phase } = live.supervisor;
  if (phase.kind === "loading") return { phase: "loading", name, fraction: phase.fraction };
  return live.engine === null ? { phase: "none" } : { phase: "ready", engine: live.engine };
}

function outageOf(live: RunningLive): EngineOutage | null {
  const { phase } = live.supervisor;
  if (phase.kind !== "restarting" && phase.kind !== "given_up") return null;
  const { reason, attempt } = phase;
  const counts = { reason, attempt, attemptsMax: restartDelaysMs.length, ...heldRequests(live.view) };
  return phase.kind === "given_up"
    ? { ...counts, phase: "given_up", fraction: 0 }
    : { ...counts, phase: phase.step, fraction: phase.fraction };
}

/** Those with tokens already drawn go on from there; the others keep their place. */
function heldRequests(view: LiveView): Pick<EngineOutage, "runningRequests" | "waitingRequests"> {
  const requests = Object.values(view.requests);
  const running = requests.filter((request) => request.admittedAtMs !== null).length;
  return { runningRequests: running, waitingRequests: requests.length - running };
}
