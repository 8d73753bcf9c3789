/** The `match` rules of declared workflows: they name the senders of prompts that begin as a rule says. The longest beginning wins. */
import type { ChatMessage } from "../../../core/contract/engine";
import type { WorkflowId } from "../../../core/contract/ids";
import type { Workflow } from "../../../core/topas/workflow";
import type { Claims } from "../identity/claims";
import type { MatchRule } from "./workflow-body";

export class WorkflowMatches {
  readonly #rules = new Map<WorkflowId, readonly MatchRule[]>();

  declare(workflowId: WorkflowId, rules: readonly MatchRule[]): void {
    this.#rules.set(workflowId, rules);
  }

  withdraw(workflowId: WorkflowId): void {
    this.#rules.delete(workflowId);
  }

  of(workflowId: WorkflowId): readonly MatchRule[] {
    return this.#rules.get(workflowId) ?? [];
  }

  claims(messages: readonly ChatMessage[], workflows: Readonly<Record<WorkflowId, Workflow>>): Claims {
    const prompt = messages.find(({ role }) => role === "system")?.content.trimStart() ?? "";
    let best: { readonly workflow: WorkflowId; readonly rule: MatchRule } | null = null;
    for (const [workflow, rules] of this.#rules) {
      for (const rule of rules) {
        const isLonger = rule.systemPrefix.length > (best?.rule.systemPrefix.length ?? 0);
        if (isLonger && prompt.startsWith(rule.systemPrefix)) best = { workflow, rule };
      }
    }
    if (best === null) return {};
    const { workflow, rule } = best;
    const stages = workflows[workflow]?.stages ?? [];
    return {
      workflow,
      agent: rule.agent ?? stages.find(({ id }) => id === rule.stage)?.agent ?? undefined,
      stage: rule.stage ?? onlyOne(stages.filter(({ agent }) => agent === rule.agent))?.id,
    };
  }
}

function onlyOne<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
