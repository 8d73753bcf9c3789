/** Which rows the table has: the policies asked for, and TOPAS without each of its terms. */
import type { PolicyName } from "../../core/contract/policy-name";
import { policies } from "../../core/policies/policies";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import { badInput } from "./bad-input";
import { simulatedConfig, type Variant } from "./experiment";

export interface VariantOptions {
  readonly policies?: string;
  readonly ablation?: boolean;
  /** Each `name=number`. */
  readonly set: readonly string[];
}

/** Throws `OptionsEnded`. */
export function chooseVariants({ policies: names, ablation = false, set }: VariantOptions): readonly Variant[] {
  const config = set.reduce(withSetting, simulatedConfig);
  const chosen = chooseNames(names ?? (ablation ? "topas" : "all"));
  return [...chosen.map((policy) => ({ name: policy, policy, config })), ...(ablation ? ablations(config) : [])];
}

function chooseNames(text: string): readonly PolicyName[] {
  const known = Object.keys(policies) as readonly PolicyName[];
  if (text === "all") return known;
  const names = text.split(",").map((name) => name.trim());
  return names.map((name) => {
    const policy = known.find((one) => one === name);
    if (policy === undefined) throw badInput(`There is no policy "${name}". There are ${known.join(", ")}, and all.`);
    return policy;
  });
}

/** Each term the other way round, then the other ways to credit a fan-out. */
function ablations(config: SchedulerConfig): readonly Variant[] {
  const terms = Object.entries(config.terms).map(([term, isOn]): Variant => {
    const name = isOn ? `topas without ${term}` : `topas with ${term}`;
    return { name, policy: "topas", config: { ...config, terms: { ...config.terms, [term]: !isOn } } };
  });
  const others = (["graham", "longest_path", "group"] as const).filter((fanOut) => fanOut !== config.fanOut);
  const fanOuts = others.map(
    (fanOut): Variant => ({ name: `topas by ${fanOut}`, policy: "topas", config: { ...config, fanOut } }),
  );
  return [...terms, ...fanOuts];
}

function withSetting(config: SchedulerConfig, text: string): SchedulerConfig {
  const [, name = "", number = ""] = /^(\w+)=(-?\d*\.?\d+)$/.exec(text) ?? [];
  const numbers = Object.entries(defaultConfig).flatMap(([key, value]) => (typeof value === "number" ? [key] : []));
  if (numbers.includes(name)) return { ...config, [name]: Number(number) };
  throw badInput(`--set ${text} is not NAME=NUMBER with one of these names: ${numbers.join(", ")}.`);
}
