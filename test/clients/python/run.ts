/**
 * `npm run test:clients`: Python's clients against the whole server with a noise model. Makes their virtual environment the first
 * time, in `.cache/clients`, then runs each scenario and counts what passed. Not part of `npm test`: it fetches a gigabyte.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startNoiseServer } from "../start-noise-server";

const here = path.dirname(fileURLToPath(import.meta.url));
const project = path.resolve(here, "../../..");
const environment = path.join(project, ".cache/clients/venv");
const python = path.join(environment, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const requirements = path.join(here, "requirements.txt");
const installed = path.join(environment, "installed.txt");

const scenarios = ["openai_sdk", "langgraph_agents", "crewai_crew", "autogen_team"];
const scenarioMaxMs = 180_000;

async function makeEnvironment(): Promise<void> {
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  console.log("Making the Python environment; this takes some minutes the first time.");
  await mkdir(environment, { recursive: true });
  must(process.platform === "win32" ? "python" : "python3", ["-m", "venv", environment]);
  must(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
  await writeFile(installed, wanted);
}

function must(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0)
    throw new Error(`'${command} ${args.join(" ")}' failed: ${error?.message ?? `exit code ${status}`}`);
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** A scenario that says nothing has failed, for it did not get to its first step. */
function runScenario(name: string, baseUrl: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(python, [path.join(here, `${name}.py`)], {
      env: { ...process.env, TOPAS_BASE_URL: baseUrl, PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: scenarioMaxMs,
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("close", (code) => {
      const steps = output.split("\n").filter((line) => /^(passed|failed) /.test(line));
      for (const step of steps) console.log(`${name}: ${step}`);
      const passed = steps.filter((step) => step.startsWith("passed ")).length;
      const failed = steps.length - passed + (steps.length === 0 || (code !== 0 && passed === steps.length) ? 1 : 0);
      if (failed > 0) console.log(errors.slice(-4_000));
      resolve({ passed, failed });
    });
  });
}

await makeEnvironment();
const server = await startNoiseServer();
let passed = 0;
let failed = 0;
try {
  for (const name of scenarios) {
    const outcome = await runScenario(name, `${server.origin}/v1`);
    passed += outcome.passed;
    failed += outcome.failed;
  }
} finally {
  await server.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
