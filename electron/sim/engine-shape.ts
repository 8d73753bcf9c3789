/** A machine as the simulated engine is told of it. */
import { costsOf, type MachineProfile } from "../../core/sim/profile/profile";
import type { EngineShape } from "../../core/sim/simulate";

/** A token pool has no slots of its own: so many requests run at once at most. */
const sequencesMax = 64;

export function engineShape(profile: MachineProfile, storeTokens: number): EngineShape {
  const { pool } = profile;
  const costs = costsOf(profile);
  return pool.kind === "slots"
    ? { slots: pool.slots, slotTokens: pool.slotTokens, budgetTokens: null, storeTokens, costs }
    : { slots: sequencesMax, slotTokens: pool.budgetTokens, budgetTokens: pool.budgetTokens, storeTokens, costs };
}
