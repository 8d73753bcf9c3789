/** Messages between the main process and the window. Live data comes over a MessagePort, commands go by invoke. */

import type { InspectionResult } from "../inspect/inspection";
import type { LiveView } from "../view/view";
import type { ViewEvent } from "../view/view-event";
import type { EngineDescription } from "./engine";
import type { Bytes } from "./ids";
import type { PolicyName } from "./policy-name";

export type ModelStatus =
  /** Nothing asked for yet. */
  | { readonly phase: "none" }
  | { readonly phase: "looking"; readonly note: string }
  | {
      readonly phase: "downloading";
      readonly name: string;
      readonly from: string;
      readonly receivedBytes: Bytes;
      readonly totalBytes: Bytes | null;
    }
  | { readonly phase: "loading"; readonly name: string; readonly fraction: number }
  | { readonly phase: "ready"; readonly engine: EngineDescription }
  | { readonly phase: "failed"; readonly message: string; readonly whatToDo: string };

/** Set while a loaded engine is gone. */
export interface EngineOutage {
  readonly reason: string;
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly phase: "waiting" | "starting" | "loading" | "given_up";
  readonly fraction: number;
  readonly runningRequests: number;
  readonly waitingRequests: number;
}

export type DemoStatus =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly tasksDone: number; readonly tasksTotal: number }
  | { readonly phase: "finished"; readonly tasksDone: number; readonly meanJctMs: number }
  | { readonly phase: "failed"; readonly message: string };

/** A recording that is shown in place of the live server: nothing in it can be changed. */
export interface ShownRecording {
  /** Of the file, without its folder. */
  readonly name: string;
  /** It was made by the simulator: no engine has run. */
  readonly simulated: boolean;
  /** Why it could not be read to its end, with the line; null: it was. */
  readonly problem: string | null;
}

export interface AppStatus {
  readonly version: string;
  readonly platform: string;
  /** Base URL for clients, ending in /v1; null while not listening. */
  readonly url: string | null;
  readonly serverProblem: string | null;
  /** Why the journal on disk has stopped; null while it is written. */
  readonly journalProblem: string | null;
  readonly model: ModelStatus;
  readonly outage: EngineOutage | null;
  readonly demo: DemoStatus;
  readonly recording: ShownRecording | null;
  /** Milliseconds of the server's clock at sending: the window's clock follows it. */
  readonly nowMs: number;
}

export type WindowEvent = ViewEvent;

export type PortMessage =
  | { readonly kind: "snapshot"; readonly view: LiveView; readonly status: AppStatus }
  | { readonly kind: "events"; readonly events: readonly WindowEvent[]; readonly nowMs: number }
  | { readonly kind: "status"; readonly status: AppStatus }
  /**
   * What happened before the snapshot, oldest first, in pieces without a gap up to the snapshot's event. `start` comes with the
   * first piece: the earliest view there is.
   */
  | { readonly kind: "backlog"; readonly start: LiveView | null; readonly events: readonly WindowEvent[] };

/** What the preload offers to the page as `window.topas`; nothing else crosses. */
export interface TopasBridge {
  runDemo(): Promise<CommandResult>;
  stopDemo(): Promise<CommandResult>;
  choosePolicy(policy: PolicyName): Promise<CommandResult>;
  /** Opens the system's file dialogue and loads the chosen GGUF. */
  chooseModelFile(): Promise<CommandResult>;
  /** Finds or fetches the starter model and loads it. */
  loadStarterModel(): Promise<CommandResult>;
  cancelRequest(requestId: string): Promise<CommandResult>;
  /** Nobody is admitted until it is resumed; what runs goes on. */
  pauseQueue(): Promise<CommandResult>;
  resumeQueue(): Promise<CommandResult>;
  /** To the front of the queue, and back. */
  moveUp(requestId: string): Promise<CommandResult>;
  undoMoveUp(requestId: string): Promise<CommandResult>;
  /** The agent's prefix stays in the KV cache until it is unpinned. */
  pinPrefix(agent: string): Promise<CommandResult>;
  unpinPrefix(agent: string): Promise<CommandResult>;
  /** Everything about one decision of the live server or of the recording that is open. */
  inspectDecision(decision: number): Promise<InspectionResult>;
  /** Opens the file dialogue and shows the chosen recording in place of the live server. */
  openRecording(): Promise<CommandResult>;
  /** The same with a `File` that was dropped on the page. */
  openDroppedFile(file: object): Promise<CommandResult>;
  /** Back to the live server. */
  closeRecording(): Promise<CommandResult>;
  /** Opens the file dialogue and saves what is kept of this run. */
  saveRecording(): Promise<CommandResult>;
  /** The same for what is shown, live or recorded, as a trace for ui.perfetto.dev. */
  saveTrace(): Promise<CommandResult>;
  copyText(text: string): Promise<CommandResult>;
  /** Starts the engine again after the last automatic try failed. */
  restartEngine(): Promise<CommandResult>;
  /** Last lines of the engine's log. */
  readEngineLog(): Promise<string>;
}

export type CommandResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Name of the `postMessage` that hands the port to the page. */
export const PORT_MESSAGE = "topas-port";
