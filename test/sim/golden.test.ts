/** What the scheduler decided in three kept runs it decides again, from the same inputs. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkJournal } from "../../electron/sim/journal/check-journal";
import { goldenRuns } from "./golden/golden-runs";

const fileOf = (name: string) => path.join(import.meta.dirname, "golden", `${name}.journal`);

const wayOut = "If the decisions were meant to change, write the golden journals anew with: npm run golden";

describe("the golden journal", () => {
  it.each(goldenRuns)("of $name replays exactly", async ({ name, policy }) => {
    const file = fileOf(name);
    const journal = await checkJournal(file, { untilCut: false, keepsRun: false }).catch((cause: unknown) => {
      throw new Error(`${String(cause)}\n${wayOut}`, { cause });
    });
    expect(journal.difference, wayOut).toBeNull();
    expect(journal.policy).toBe(policy);
    expect(statSync(file).size).toBeLessThan(100_000);
  });

  it.each([
    ["two-crews-in-slots", /"kind":"fork"|"kind":"in_place"/],
    ["two-crews-in-slots", /"kind":"workflow.declared".*"workflowId":"code"/],
    ["evictions-in-a-token-pool", /"kind":"request.admitted".*"evicts":\["/],
    ["engine-lost", /"kind":"request.requeued"/],
  ])("of %s has %s in it", (name, what) => {
    expect(readFileSync(fileOf(name), "utf8"), wayOut).toMatch(what);
  });
});
