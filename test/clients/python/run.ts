/**
 * `npm run test:clients`: Python's clients against the whole server with a noise model. Makes their virtual environment the first
 * time, in `.cache/clients`, then runs each scenario and counts what passed. Not part of `npm test`: it fetches a gigabyte.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeNoiseModel } from "../../../native-models/catalogue/noise-model";
import { CaseServer } from "../../cases/case-server";

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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

await makeEnvironment();
const folder = await mkdtemp(path.join(tmpdir(), "topas-clients-"));
const model = path.join(folder, "noise.gguf");
await writeNoiseModel(model, { size: "tiny" });
const port = await freePort();
const builtFolder = path.join(project, "out/main");
const server = await CaseServer.start({ port, builtFolder, model, slots: 4, context: 4096 });
let passed = 0;
let failed = 0;
try {
  for (const name of scenarios) {
    const outcome = await runScenario(name, `http://127.0.0.1:${port}/v1`);
    passed += outcome.passed;
    failed += outcome.failed;
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
