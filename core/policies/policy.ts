/** What every scheduling policy gives: one choice for the free slots, with its reasons. A policy reads the state and never writes. */

import type { PolicyName } from "../contract/policy-name";
import type { SchedulerConfig } from "../topas/config";
import type { Candidate, Kept, Wait } from "../topas/decision";
import type { SchedulerState } from "../topas/state";

/** One choice. The first candidate wins; `hold` ends the round. */
export interface Choice {
  /** Best first, never empty. */
  readonly candidates: readonly Candidate[];
  readonly verdict: string;
  readonly kept: Kept | null;
  /** Reasons of all that wait if this choice ends the round. */
  readonly waits: readonly Wait[];
}

export interface Policy {
  readonly name: PolicyName;
  /** Called while requests wait, until it holds or no slot is free; with no free slot it only orders and explains. */
  choose(state: SchedulerState, config: SchedulerConfig): Choice;
}
