/**
 * Runs the reported cases against the built headless server, each on a fresh one, and prints a table.
 *   npx tsx test/cases/run-cases.ts [ids...] [--json FILE] [--model FILE|noise] [--built out/main] [--port N] [--journals FOLDER]
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { apiCases } from "./api-cases";
import { cacheCases } from "./cache-cases";
import type { Case, Verdict } from "./case";
import { CaseServer } from "./case-server";
import { lifeCycleCases } from "./life-cycle-cases";
import { memoryCases } from "./memory-cases";
import { queueCases } from "./queue-cases";
import { stallCases } from "./stall-cases";

const all = [...cacheCases, ...queueCases, ...stallCases, ...memoryCases, ...lifeCycleCases, ...apiCases];

const command = new Command("run-cases")
  .argument("[ids...]", "only these cases")
  .option("--json <file>", "write all verdicts to this file")
  .option("--model <file>", "model for every case (default: the starter model)")
  .option("--built <folder>", "built programs", "out/main")
  .option("--port <n>", "port of the server", "8799")
  .option("--policy <name>", "scheduling policy", "topas")
  .option("--journals <folder>", "keep the journal of each case in this folder")
  .parse();
const options = command.opts();
const wanted = new Set(command.args);
const journals = resolve(options.journals ?? mkdtempSync(join(tmpdir(), "topas-cases-")));
const launch = { port: Number(options.port), builtFolder: resolve(options.built) };

interface Row extends Verdict {
  readonly id: string;
  readonly title: string;
  readonly durationMs: number;
  readonly explanations: readonly string[];
}

async function runCase(each: Case): Promise<Row> {
  const startedAt = performance.now();
  const journal = join(journals, `${each.id}.jsonl`);
  const setting = { model: options.model, policy: options.policy, ...each.setting };
  const server = await CaseServer.start({ ...launch, ...setting, journal });
  try {
    const verdict = await each.run(server, { launch, journal });
    const explanations: string[] = [];
    for (const id of server.hasEnded ? [] : (verdict.requestIds ?? [])) {
      explanations.push((await server.explain(id)).summary);
    }
    return {
      id: each.id,
      title: each.title,
      durationMs: Math.round(performance.now() - startedAt),
      ...verdict,
      explanations,
    };
  } finally {
    await server.stop();
  }
}

const rows: Row[] = [];
for (const each of all.filter(({ id }) => wanted.size === 0 || wanted.has(id))) {
  const row = await runCase(each).catch((error: unknown) => {
    const figures = { error: error instanceof Error ? error.message : String(error) };
    return { id: each.id, title: each.title, durationMs: 0, passed: false, figures, explanations: [] };
  });
  rows.push(row);
  const word = row.passed === null ? "number" : row.passed ? "pass" : "FAIL";
  console.log(`${row.id.padEnd(9)} ${word.padEnd(7)} ${row.title}\n${" ".repeat(18)}${JSON.stringify(row.figures)}`);
  if (row.passed === false) for (const line of row.explanations) console.log(`${" ".repeat(18)}explain: ${line}`);
}
const failed = rows.filter(({ passed }) => passed === false);
console.log(`${rows.length - failed.length} passed or measured, ${failed.length} failed`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
