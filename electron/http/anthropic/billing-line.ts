/**
 * Claude Code begins its system prompt with a line for Anthropic's accounts, `x-anthropic-billing-header: cc_version=…;`. It
 * differs between an agent and its sub-agents and says nothing to a model, but at the very start of the prompt it would
 * keep all of them from sharing one prefix in the KV cache. So it is taken out before the prompt is made.
 */

const mark = /^\s*x-anthropic-billing-header:/i;

/** The texts of the system prompt's blocks without the line. */
export function withoutBillingLine(blocks: readonly string[]): string[] {
  const [first, ...others] = blocks;
  if (first === undefined || !mark.test(first)) return [...blocks];
  const afterLine = first.trimStart().indexOf("\n");
  const rest =
    afterLine === -1
      ? ""
      : first
          .trimStart()
          .slice(afterLine + 1)
          .trimStart();
  return rest === "" ? others : [rest, ...others];
}
