/**
 * What the window needs of the running server: its state, its events and its commands. The window must never reach
 * past this to the scheduler or the engine.
 */
import type { Readable } from "node:stream";
import type { AppStatus, ShownRecording, TopasBridge } from "../../core/contract/window";
import type { InspectionResult } from "../../core/inspect/inspection";
import type { History } from "../../core/view/history";
import type { LiveView } from "../../core/view/view";
import type { ViewEvent } from "../../core/view/view-event";

export interface EventBatch {
  /** In order, without the text and tokens of prompts and answers. */
  readonly events: readonly ViewEvent[];
  /** Milliseconds of the server's clock at sending. */
  readonly nowMs: number;
}

/** What only the shell can do: file dialogues and the clipboard. */
type ShellCommand =
  | "chooseModelFile"
  | "copyText"
  | "openRecording"
  | "openDroppedFile"
  | "closeRecording"
  | "saveRecording"
  | "saveTrace";

export type WindowCommands = Omit<TopasBridge, ShellCommand> & {
  loadModelFile(path: string): ReturnType<TopasBridge["chooseModelFile"]>;
};

export type StopListening = () => void;

export type KeptHistory = Pick<
  History<LiveView>,
  "earliest" | "firstNumber" | "lastNumber" | "newest" | "eventsBetween"
>;

export interface OpenedRecording {
  readonly shown: ShownRecording;
  readonly history: KeptHistory;
  /** A decision of it taken apart. */
  inspect(decision: number): Promise<InspectionResult>;
}

/** What a page is shown: the running server, or a recording in its place (page-source.ts). */
export interface FeedSource {
  /** As of now; `nowMs` included. */
  readonly status: AppStatus;
  /** Called after each change of `status`. */
  onStatus(listener: (status: AppStatus) => void): StopListening;
  /** Everything up to some event; batches given later may begin with events that are already in it. */
  snapshot(): LiveView;
  /** What is kept of the time before. */
  readonly history: KeptHistory;
  /** About one batch each 16 to 33 ms while anything happens. */
  onEvents(listener: (batch: EventBatch) => void): StopListening;
}

export interface WindowApp extends FeedSource {
  readonly commands: WindowCommands;
  /** Rejects with a sentence that names the line where nothing of the file can be shown. */
  openRecording(file: string, name?: string): Promise<OpenedRecording>;
  /** What is kept of this run, packed. */
  recording(): Promise<Readable>;
  /**
   * Refuses new requests, lets the open ones finish for as long as the options say, ends the rest so that each client is told,
   * frees the engine and the port. Asked a second time it gives the same promise and waits for nobody any more.
   */
  dispose(): Promise<void>;
}

/** Resolves as soon as there is a status to show; the model is found and loaded after that. */
export type StartApp = () => Promise<WindowApp>;
