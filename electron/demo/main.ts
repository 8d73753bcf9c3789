/** `npm run demo`: starts the server, runs both crews on it under one policy or several, and prints what came of it. */
import { writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import type { PolicyName } from "../../core/contract/policy-name";
import { policyNames } from "../../core/policies/policies";
import { addServerOptions, parseQuietly, readOrExit, serverOptionsOf } from "../app/options";
import { startNodeApp } from "../node-app";
import { journalFile } from "./journal-file";
import { type DemoRun, runDemo } from "./run-demo";
import { comparison, runTable } from "./table";

/** FCFS first: the others are compared with it. */
const policyOrder: Readonly<Record<string, readonly PolicyName[]>> = {
  both: ["fcfs", "topas"],
  all: ["fcfs", ...policyNames.filter((name) => name !== "fcfs")],
};

const options = readOrExit(() => {
  const command = addServerOptions(new Command("demo").description("Two crews of agents on one local model."), {
    policyChoices: [...policyNames, ...Object.keys(policyOrder)],
    port: 0,
  })
    .addOption(new Option("--tasks <n>", "tasks of each crew").default(3).argParser(Number))
    .addOption(new Option("--seed <n>", "seed of the arrivals and topics").default(1).argParser(Number))
    .option("--json <file>", "write the figures to this file");
  const parsed = parseQuietly(command, process.argv.slice(2), "refused");
  const { tasks, seed, json, policy } = parsed.opts<{ tasks: number; seed: number; json?: string; policy: string }>();
  return {
    server: serverOptionsOf(parsed),
    tasks,
    seed,
    json,
    policies: policyOrder[policy] ?? [policy as PolicyName],
  };
});

try {
  const runs: DemoRun[] = [];
  let figures: object = {};
  for (const policy of options.policies) {
    const journal = journalFile(options.server.journal, policy, options.policies);
    const app = await startNodeApp({ ...options.server, policy, journal }, import.meta.dirname);
    const engine = app.live.engine;
    console.log(`\n${policy.toUpperCase()}: ${options.tasks} tasks of each crew at ${app.status.url}`);
    const run = await runDemo(app, {
      policy,
      tasksOfEach: options.tasks,
      seed: options.seed,
      apiKey: options.server.apiKey,
    });
    await app.dispose();
    console.log(`\n${runTable(run)}`);
    runs.push(run);
    figures = { model: engine?.modelId, noiseModel: engine?.noiseModel, slots: engine?.slots, runs };
  }
  if (runs.length > 1) console.log(`\n${comparison(runs)}`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  process.exit(runs.some((run) => run.failedRequests > 0) ? 1 : 0);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
