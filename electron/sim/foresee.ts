/** What an offline policy is told of the future. No policy that could run live may use it. */
import type { AgentId } from "../../core/contract/ids";
import { simulate } from "../../core/sim/simulate";
import { generateWorkload } from "../../core/sim/workload/generate";
import { emptyState } from "../../core/topas/empty-state";
import { engineShape } from "./engine-shape";
import type { Job } from "./job";

/** The agents in the order in which they are called on the same trace, first come, first served. */
export function foreseeCalls({ spec, seed, tasks, meanGapMs, config, profile, storeTokens }: Job): readonly AgentId[] {
  const calls: AgentId[] = [];
  const workload = generateWorkload({ spec, seed, tasks, meanGapMs });
  const agentOf = new Map(workload.tasks.flatMap((task) => task.calls.map((call) => [call.requestId, call.agent])));
  simulate({
    state: emptyState("fcfs"),
    config,
    engine: engineShape(profile, storeTokens),
    workload,
    watch(_, events) {
      for (const event of events) {
        const agent = event.kind === "request.admitted" ? agentOf.get(event.requestId) : undefined;
        if (agent !== undefined) calls.push(agent);
      }
    },
  });
  return calls;
}
