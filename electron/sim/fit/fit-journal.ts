/** Reads a journal and fits a machine's profile to its steps. The journal need not replay: only what the engine did counts. */
import path from "node:path";
import { type Fit, fitCosts } from "../../../core/sim/profile/fit";
import type { MachineProfile } from "../../../core/sim/profile/profile";
import { StepSamples } from "../../../core/sim/profile/step-samples";
import type { TopasEvent } from "../../../core/topas/events";
import { badInput } from "../bad-input";
import { readJournal } from "../journal/read-journal";

type Ready = Extract<TopasEvent, { kind: "engine.ready" }>;

export interface FittedProfile {
  readonly profile: MachineProfile;
  readonly fit: Fit;
}

const ramTierTokens = 65_536;
/** A profile has no costs of nothing for what every step does. */
const costMsMin = 1e-6;
const nameCharactersMax = 64;

/** Rejects with `OptionsEnded` for a file that is no journal, or one in which the engine did nothing. */
export async function fitJournal(file: string, untilCut: boolean): Promise<FittedProfile> {
  const steps = new StepSamples();
  let ready: Ready | null = null;
  for await (const entry of readJournal(file, untilCut)) {
    if (entry.kind !== "event") continue;
    steps.take(entry.event);
    if (entry.event.kind !== "engine.ready") continue;
    if (ready !== null && !isSamePool(ready, entry.event)) {
      throw badInput(
        `${file}: line ${entry.line}: an engine with another pool took over here. Fit a journal with one engine.`,
      );
    }
    ready ??= entry.event;
  }
  if (ready === null || steps.samples.length === 0) {
    throw badInput(`${file}: the engine did nothing in this journal. Record a run in which requests are answered.`);
  }
  const fit = fitCosts(steps.samples, ready.costs);
  return { profile: profileOf(file, ready, fit, steps.samples.length), fit };
}

function isSamePool(one: Ready, other: Ready): boolean {
  return one.slots === other.slots && one.slotTokens === other.slotTokens && one.budgetTokens === other.budgetTokens;
}

function profileOf(file: string, ready: Ready, { costs, kinds }: Fit, steps: number): MachineProfile {
  const { slots, slotTokens, budgetTokens, storeTokens } = ready;
  const seen = kinds.map(({ kind, steps: ofKind }) => `${ofKind} ${kind}`).join(", ");
  return {
    name: path.parse(file).name.slice(0, nameCharactersMax) || "fitted",
    note: `Fitted from ${steps} steps of a recorded run (${seen}).`,
    prefillMsPerToken: Math.max(costMsMin, costs.prefillMsPerToken),
    stepMs: costs.stepMs.map((ms) => Math.max(costMsMin, ms)),
    copyMs: costs.copyMs,
    saveMsPerToken: costs.saveMsPerToken ?? 0,
    restoreMsPerToken: costs.restoreMsPerToken ?? 0,
    pool: budgetTokens === undefined ? { kind: "slots", slots, slotTokens } : { kind: "tokens", budgetTokens },
    ramTierTokens: storeTokens ?? ramTierTokens,
  };
}
