/** What a simulated machine is: what things cost on it and how much it holds. Only data, the same for files. */
import type { CostProfile } from "../../contract/engine";
import type { Milliseconds } from "../../contract/ids";

/** Tokens shared by all requests, or sequences that each hold their own. */
export type PoolSpec =
  | { readonly kind: "tokens"; readonly budgetTokens: number }
  | { readonly kind: "slots"; readonly slots: number; readonly slotTokens: number };

export interface MachineProfile {
  readonly name: string;
  /** Where the numbers come from. */
  readonly note: string;
  readonly prefillMsPerToken: Milliseconds;
  /** Entry n-1 = one decode step with n running requests. */
  readonly stepMs: readonly Milliseconds[];
  /** One copy of a prefix from one slot to another. */
  readonly copyMs: Milliseconds;
  /** To the RAM tier and back. */
  readonly saveMsPerToken: Milliseconds;
  readonly restoreMsPerToken: Milliseconds;
  readonly pool: PoolSpec;
  /** What the RAM tier holds when it is on and no size is named. */
  readonly ramTierTokens: number;
}

/** Most tokens one request may have, prompt and answer together. */
export function requestTokensMax(pool: PoolSpec): number {
  return pool.kind === "slots" ? pool.slotTokens : pool.budgetTokens;
}

export function costsOf(profile: MachineProfile): CostProfile {
  const { prefillMsPerToken, stepMs, copyMs, saveMsPerToken, restoreMsPerToken } = profile;
  return { prefillMsPerToken, stepMs, copyMs, saveMsPerToken, restoreMsPerToken, origin: "given" };
}
