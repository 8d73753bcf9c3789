/** Feeds recorded inputs again. With the same policy and configuration the events are the recorded ones, number by number. */
import type { PolicyName } from "../contract/policy-name";
import type { SchedulerConfig } from "../topas/config";
import { emptyState } from "../topas/empty-state";
import type { TopasEvent } from "../topas/events";
import type { Input } from "../topas/inputs";
import { receive } from "../topas/receive";

export interface Recording {
  readonly policy: PolicyName;
  readonly config: SchedulerConfig;
  readonly inputs: readonly Input[];
}

export function replay({ policy, config, inputs }: Recording): TopasEvent[] {
  const state = emptyState(policy);
  return inputs.flatMap((input) => receive(state, input, config).events);
}
