/** A started engine process as its owner sees it, whatever started it: Electron's utilityProcess or Node's child_process. */
import type { ToEngine } from "./messages";

export interface EngineProcess {
  send(message: ToEngine): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Everything the process prints, as it comes. */
  onOutput(listener: (text: string) => void): void;
  /** Called once, after the last output; `reason` says how it ended, e.g. "exit code 70" or "signal SIGKILL". */
  onExit(listener: (reason: string) => void): void;
  /** At once and for certain, whatever it is doing. */
  kill(): void;
}

/** Must throw or report an exit when the process cannot be started. */
export type SpawnEngineProcess = () => EngineProcess;
