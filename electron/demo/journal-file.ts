/** The journal of one run of the demo. Two runs must never share a file: a journal begins with an empty server. */
import path from "node:path";
import type { PolicyName } from "../../core/contract/policy-name";

/** With several policies `run.jsonl` becomes `run-fcfs.jsonl` and `run-topas.jsonl`. */
export function journalFile(file: string | null, policy: PolicyName, policies: readonly PolicyName[]): string | null {
  if (file === null || policies.length < 2) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${policy}${ext}`);
}
