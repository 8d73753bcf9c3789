/** The command line of `npm run replay`. */
import { Command } from "commander";
import type { PolicyName } from "../../../core/contract/policy-name";
import { policies } from "../../../core/policies/policies";
import { parseQuietly } from "../../app/options";
import { badInput } from "../bad-input";
import { requireWritable } from "../options";

export interface ReplayOptions {
  readonly file: string;
  /** Null: only the exact replay. */
  readonly policy: PolicyName | null;
  /** Costs of the simulated engine fitted to the journal, not those it was calibrated to. */
  readonly fitted: boolean;
  readonly untilCut: boolean;
  readonly json: string | null;
}

interface Values {
  readonly policy?: string;
  readonly fitted?: true;
  readonly untilCut?: true;
  readonly json?: string;
}

/** Throws `OptionsEnded`. */
export function parseReplayOptions(argv: readonly string[]): ReplayOptions {
  const command = new Command("replay")
    .description("Replays a journal exactly, and says what another policy would have done with it.")
    .argument("<journal>", "a recording, or a file that was written with --journal")
    .option("--policy <name>", "simulate the recorded requests under this policy as well")
    .option("--fitted", "simulate with costs fitted to this journal, not with those the engine was calibrated to")
    .option("--until-cut", "use a journal whose end is missing up to there")
    .option("--json <file>", "write the result to this file");
  const parsed = parseQuietly(command, argv, "refused");
  const values = parsed.opts<Values>();
  if (values.fitted && values.policy === undefined) throw badInput("--fitted says how to simulate: give --policy too.");
  if (values.json !== undefined) requireWritable(values.json);
  return {
    file: parsed.args[0] ?? "",
    policy: values.policy === undefined ? null : policyNamed(values.policy),
    fitted: values.fitted ?? false,
    untilCut: values.untilCut ?? false,
    json: values.json ?? null,
  };
}

function policyNamed(name: string): PolicyName {
  const known = Object.keys(policies) as readonly PolicyName[];
  const policy = known.find((one) => one === name);
  if (policy === undefined) throw badInput(`There is no policy "${name}". There are ${known.join(", ")}.`);
  return policy;
}
