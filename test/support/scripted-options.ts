/** What a test can ask of the scripted engine. */
import type { ChatAbilities, CostProfile, PromptSource } from "../../core/contract/engine";
import type { Milliseconds, RequestId, Token } from "../../core/contract/ids";

export interface ScriptedOptions {
  readonly slots?: number;
  readonly slotTokens?: number;
  readonly vocabularySize?: number;
  readonly modelId?: string;
  readonly costs?: CostProfile;
  readonly chat?: ChatAbilities;
  /** The token that ends an answer; none by default, so that every answer runs to its limit. */
  readonly endToken?: Token | null;
  /** Draws this instead of the hash when it gives a token. */
  readonly script?: (requestId: RequestId, generatedTokens: number) => Token | null;
  /** The engine dies instead of evaluating its n-th step, counted from 1 over all batches. */
  readonly diesAtStep?: number;
  /** Says why a prompt is refused, or null. */
  readonly refuses?: (source: PromptSource) => string | null;
  /** How a step of this virtual duration is waited for; by default one turn of the event loop. */
  readonly wait?: (durationMs: Milliseconds) => Promise<void>;
}
