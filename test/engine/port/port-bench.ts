/** What the tests of a port are given: the engine, and prompts of a known length. */
import type { EnginePort } from "../../../core/contract/engine";
import type { Token } from "../../../core/contract/ids";

export interface PortBench {
  readonly engine: EnginePort;
  clearSlots(): Promise<void>;
  promptOf(words: string, tokens?: number): Promise<Token[]>;
}
