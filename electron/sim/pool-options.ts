/** Which pool the options ask for: the profile's own, or one of another kind or size. */
import type { MachineProfile, PoolSpec } from "../../core/sim/profile/profile";
import { badInput } from "./bad-input";

export interface PoolOptions {
  readonly budget?: number;
  readonly slots?: number;
  readonly context?: number;
  /** True without a number: as much as the profile says. */
  readonly ramTier?: number | true;
}

/** The profile with the pool to run with. Throws `OptionsEnded`. */
export function choosePool(
  profile: MachineProfile,
  options: PoolOptions,
): { readonly profile: MachineProfile; readonly storeTokens: number } {
  const { ramTier } = options;
  const storeTokens = ramTier === true ? profile.ramTierTokens : (ramTier ?? 0);
  return { profile: { ...profile, pool: poolOf(profile, options) }, storeTokens };
}

function poolOf({ name, pool }: MachineProfile, { budget, slots, context }: PoolOptions): PoolSpec {
  if (budget !== undefined) {
    if (slots === undefined && context === undefined) return { kind: "tokens", budgetTokens: budget };
    throw badInput(
      "--budget is one pool for all requests, --slots and --context are the other kind. Give one of the two.",
    );
  }
  if (slots === undefined && context === undefined) return pool;
  const own = pool.kind === "slots" ? pool : null;
  const chosenSlots = slots ?? own?.slots;
  const slotTokens = context ?? own?.slotTokens;
  if (chosenSlots === undefined || slotTokens === undefined) {
    throw badInput(`Give both --slots and --context: the profile ${name} has no slots of its own.`);
  }
  return { kind: "slots", slots: chosenSlots, slotTokens };
}
