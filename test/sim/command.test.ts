/** The commands as users call them. `npm test` has built them before. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { replay } from "../../core/sim/replay";
import type { JournalLine } from "../../electron/trace/journal";
import { PROJECT_FOLDER } from "../architecture/project-files";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { fileWith, journalOf, recordedLines } from "./journal-file";

function runCommand(name: "sim" | "sim-paper" | "replay" | "fit", args: readonly string[]) {
  const entry = path.join(PROJECT_FOLDER, "out/main", `${name}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

const example = (name: string) => path.join(PROJECT_FOLDER, "core/sim/examples", name);

describe("npm run sim", () => {
  it("prints a table, writes the figures and a journal that replays exactly", () => {
    const folder = temporaryFolder();
    const [json, journal] = [path.join(folder, "figures.json"), path.join(folder, "run.jsonl")];
    const run = runCommand("sim", [
      ...["--workload", example("workload.json"), "--profile", example("profile.json")],
      ...["--policies", "fcfs,topas", "--rate", "0.8", "--seeds", "2", "--tasks", "6"],
      ...["--json", json, "--journal", journal],
    ]);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    expect(run.stdout).toContain("release-notes on laptop-3b (4 slots of 8,192 tokens), 6 tasks, 2 seeds");
    expect(run.stdout).toMatch(/mean JCT +p99 JCT +growth +tasks\/s +hits/);
    expect(run.stdout).toContain("topas against the best of the others");

    const figures = JSON.parse(readFileSync(json, "utf8"));
    expect(figures).toMatchObject({
      workload: "release-notes",
      profile: "laptop-3b",
      pool: { kind: "slots", slots: 4, slotTokens: 8192, ramTierTokens: 0 },
      rate: 0.8,
      seeds: 2,
    });
    expect(figures.policies.map((row: { policy: string }) => row.policy)).toEqual(["fcfs", "topas"]);
    for (const row of figures.policies) {
      for (const key of [
        ...["meanJctS", "meanJctCiS", "p99JctS", "throughputPerS", "hitRate", "movedTokens"],
        ...["decisionMsMean", "decisionMsP99"],
      ]) {
        expect(row[key], key).toBeGreaterThan(0);
      }
      expect(row.preemptions).toBeGreaterThanOrEqual(0);
    }

    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    const [head, ...rest] = lines.map((line): JournalLine => JSON.parse(line));
    if (head?.kind !== "journal") throw new Error("The journal has no head.");
    const inputs = rest.flatMap((line) => (line.kind === "input" ? [line.input] : []));
    const events = rest.flatMap((line) => (line.kind === "event" ? [line.event] : []));
    const replayed = replay({ policy: head.policy, config: head.config, inputs });
    expect(JSON.parse(JSON.stringify(replayed))).toEqual(events);
  });

  it("has a row for each term of TOPAS that is switched off", () => {
    const json = path.join(temporaryFolder(), "figures.json");
    const { status } = runCommand("sim", [
      ...["--workload", example("workload.json"), "--profile", example("profile.json")],
      ...["--ablation", "--seeds", "1", "--tasks", "3", "--json", json],
    ]);
    expect(status).toBe(0);
    const { policies } = JSON.parse(readFileSync(json, "utf8"));
    expect(policies.map((row: { policy: string }) => row.policy)).toEqual(
      expect.arrayContaining(["topas", "topas without age", "topas without move", "topas without reuse"]),
    );
  });

  it("writes several workloads as a list", () => {
    const json = path.join(temporaryFolder(), "figures.json");
    const { status } = runCommand("sim", [
      ...["--workload", `best-of-n,${example("workload.json")}`, "--slots", "3", "--context", "9000"],
      ...["--policies", "fcfs", "--seeds", "1", "--tasks", "2", "--json", json],
    ]);
    expect(status).toBe(0);
    const { workloads } = JSON.parse(readFileSync(json, "utf8"));
    expect(workloads.map(({ workload }: { workload: string }) => workload)).toEqual(["best-of-n", "release-notes"]);
  });

  it("ends with code 2 and one message, and writes nothing, when a file is bad", () => {
    const folder = temporaryFolder();
    const [bad, json] = [path.join(folder, "bad.json"), path.join(folder, "figures.json")];
    writeFileSync(bad, '{\n  "name": "bad"\n  "agents": []\n}\n');
    const run = runCommand("sim", ["--workload", `chain-3,${bad}`, "--json", json]);
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 2, stdout: "" });
    expect(run.stderr).toBe(`${bad}: line 3, column 3: this is not JSON: expected ',' or '}' after property value.\n`);
    expect(existsSync(json)).toBe(false);
  });

  it.each([
    [["--workload", "chain-4"], /^There is no workload "chain-4"\. There are chain-3, dag-4, .*\.json\.\n$/],
    [["--policies", "fcfs,best"], /^There is no policy "best"\. There are topas, .*\n$/],
    [["--profile", "h100"], /^There is no profile "h100"\. There are a100, .*\n$/],
    [["--rate", "-1"], /--rate must be a number from 0\.01 to 3\./],
    [["--seeds", "0"], /--seeds must be a whole number from 1 to 1000\./],
    [["--budget", "24000", "--slots", "4"], /^--budget is one pool for all requests.*Give one of the two\.\n$/],
    [["--slots", "4"], /^Give both --slots and --context: the profile a100 has no slots of its own\.\n$/],
    [["--set", "luck=1"], /^--set luck=1 is not NAME=NUMBER with one of these names: .*\n$/],
    [["--json", "no/such/folder/figures.json"], /^no\/such\/folder\/figures\.json: this file cannot be written\./],
    [["--rates", "0.9"], /unknown option '--rates'/],
    [
      ["--workload", "react,chain-3", "--profile", "this-machine"],
      /^workload react: workflows\[0\]\.stages\[0\]: A prompt .* a slot holds 2,048\.\nworkload chain-3: .*\nGive slots of \d+ tokens or more with --context\.\n$/,
    ],
  ])("refuses %j with code 2", (args, message) => {
    const run = runCommand("sim", args);
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 2, stdout: "" });
    expect(run.stderr).toMatch(message);
  });
});

describe("npm run sim:paper", () => {
  it("has a row for each workload of the paper at each rate, beside the paper's numbers", () => {
    const json = path.join(temporaryFolder(), "paper.json");
    const run = runCommand("sim-paper", ["--seeds", "1", "--tasks", "2", "--rates", "0.7,0.9", "--json", json]);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    const { rows } = JSON.parse(readFileSync(json, "utf8"));
    const names = ["chain-3", "dag-4", "dag-10-wide", "metagpt-sop", "metagpt-tl"];
    expect(rows.map(({ workload, rate }: { workload: string; rate: number }) => [workload, rate])).toEqual(
      names.flatMap((name) => [
        [name, 0.7],
        [name, 0.9],
      ]),
    );
    expect(rows[2]).toMatchObject({
      workload: "dag-4",
      paperMeanChange: -0.398,
      paperP99Change: -0.494,
      bestBaselineMean: expect.stringMatching(/^(?!topas)/),
      topasMeanChange: expect.any(Number),
      topasP99Change: expect.any(Number),
    });
  });

  it("refuses a rate that is none with code 2", () => {
    const { status, stderr } = runCommand("sim-paper", ["--rates", "0.7,fast"]);
    expect(status).toBe(2);
    expect(stderr).toContain("--rates must be a number from 0.01 to 3.");
  });
});

describe("npm run replay", () => {
  const recorded = () => journalOf(recordedLines());

  it("says that a journal is identical, and what another policy would have done", () => {
    const file = recorded();
    const json = path.join(temporaryFolder(), "replay.json");
    const run = runCommand("replay", [file, "--policy", "fcfs", "--json", json]);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    expect(run.stdout).toMatch(
      /run\.jsonl: \d+ inputs, \d+ events under topas: identical\n4 tasks were over; simulated with calibrated costs\./,
    );
    expect(run.stdout).toMatch(/simulated +topas .* 0\.0 % +0\.0 %\n +what if +fcfs /);
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({
      journal: file,
      policy: "topas",
      identical: true,
      difference: null,
      cutAtLine: null,
      whatIf: { tasks: 4, simulated: { policy: "topas", meanChange: 0 }, other: { policy: "fcfs" } },
    });
  });

  it("simulates with costs fitted to the journal where that is wanted", () => {
    const { status, stdout } = runCommand("replay", [recorded(), "--policy", "fcfs", "--fitted"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/simulated with fitted costs\.\n.*\n.*\n +simulated +topas .* -?0\.0 % +-?0\.0 %\n/);
  });

  it("names the first event that differs and ends with code 1", () => {
    const file = journalOf(recordedLines().map((line) => line.replace('"slot":1,', '"slot":0,')));
    const { status, stdout } = runCommand("replay", [file, "--policy", "fcfs"]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/not identical\n {2}event \d+, line \d+ of the file:\n {4}recorded: \{.*\n {4}replayed: \{/);
    expect(stdout).not.toContain("what if");
  });

  it("refuses a cut journal with code 2 and writes nothing, and takes it up to the cut where that is wanted", () => {
    const file = fileWith(recordedLines().join("\n").slice(0, -10));
    const json = path.join(temporaryFolder(), "replay.json");
    const refused = runCommand("replay", [file, "--json", json]);
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      /line \d+: the journal is cut off here: .* Add --until-cut to use it up to there\.\n$/,
    );
    expect(existsSync(json)).toBe(false);
    const taken = runCommand("replay", [file, "--until-cut"]);
    expect(taken.status).toBe(0);
    expect(taken.stdout).toMatch(/up to the cut in line \d+: identical\n$/);
  });

  it.each([
    [[], /missing required argument 'journal'/],
    [["run.jsonl", "--policy", "best"], /^There is no policy "best"\. There are topas, /],
    [["run.jsonl", "--fitted"], /^--fitted says how to simulate: give --policy too\.\n$/],
    [["/nowhere/run.jsonl"], /^\/nowhere\/run\.jsonl: there is no such file\.\n$/],
  ])("refuses %j with code 2", (args, message) => {
    const { status, stdout, stderr } = runCommand("replay", args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("npm run fit", () => {
  it("writes a profile that npm run sim takes, and says how far off it is", () => {
    const json = path.join(temporaryFolder(), "profile.json");
    const run = runCommand("fit", [journalOf(recordedLines()), "--json", json]);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    expect(run.stdout).toMatch(/kind of step +steps +median error\n +decode +\d+ +0\.0 %\n/);
    const simulated = runCommand("sim", [
      ...["--workload", example("workload.json"), "--profile", json, "--slots", "4", "--context", "8192"],
      ...["--policies", "fcfs", "--seeds", "1", "--tasks", "2"],
    ]);
    expect(simulated.status).toBe(0);
    expect(simulated.stdout).toContain("release-notes on run (4 slots of 8,192 tokens)");
  });

  it("refuses what is no journal with code 2", () => {
    const { status, stdout, stderr } = runCommand("fit", [fileWith("{}\n")]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/line 1: this is not a journal/);
  });
});
