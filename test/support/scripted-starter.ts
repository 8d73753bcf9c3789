/** Gives scripted engines where a test needs engines to be started, and started again. */
import type { StartEngine } from "../../core/contract/engine";
import { ScriptedEngine } from "./scripted-engine";
import type { ScriptedOptions } from "./scripted-options";

/** A `StartEngine` that gives scripted engines; `engines` lists them, newest last. */
export function scriptedStarter(options: ScriptedOptions | ((start: number) => ScriptedOptions) = {}): {
  readonly start: StartEngine;
  readonly engines: readonly ScriptedEngine[];
} {
  const engines: ScriptedEngine[] = [];
  const start: StartEngine = async ({ slots, slotTokens, modelId }, observer) => {
    const chosen = typeof options === "function" ? options(engines.length) : options;
    const engine = new ScriptedEngine({ slots, slotTokens, modelId, ...chosen }, observer);
    engines.push(engine);
    observer.progress(1);
    return engine;
  };
  return { start, engines };
}
