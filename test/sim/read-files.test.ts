import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { builtinProfiles } from "../../core/sim/profile/builtin-profiles";
import { builtinWorkloads } from "../../core/sim/workload/builtin/builtin-workloads";
import { checkFit, longestRequests, tokensNeeded } from "../../core/sim/workload/check-fit";
import { checkWorkload } from "../../core/sim/workload/check-workload";
import { generateWorkload } from "../../core/sim/workload/generate";
import { prefixLengths } from "../../core/sim/workload/prefixes";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import { stagesInOrder } from "../../core/sim/workload/stages-in-order";
import { placeOfError } from "../../electron/sim/json-file";
import { profileSchema } from "../../electron/sim/profile-schema";
import { readProfileFile } from "../../electron/sim/read-profile";
import { readWorkloadFile } from "../../electron/sim/read-workload";
import { workloadSchema } from "../../electron/sim/workload-schema";
import { PROJECT_FOLDER } from "../architecture/project-files";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { runTrace } from "./run-trace";

const example = (name: string) => path.join(PROJECT_FOLDER, "core/sim/examples", name);

/** A value as files have it: changed by the tests below. */
type Loose = { [key: string]: Loose } & Loose[];

function workloadWith(change: (workload: Loose) => unknown): string {
  return fileWith(example("workload.json"), change);
}

function profileWith(change: (profile: Loose) => unknown): string {
  return fileWith(example("profile.json"), change);
}

function fileWith(source: string, change: (value: Loose) => unknown): string {
  const value = JSON.parse(readFileSync(source, "utf8"));
  change(value);
  const file = path.join(temporaryFolder(), "changed.json");
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** The message without the file's folder. */
function refusal(read: (file: string) => unknown, file: string): string {
  try {
    read(file);
  } catch (cause) {
    return cause instanceof Error ? cause.message.replaceAll(`${path.dirname(file)}/`, "") : String(cause);
  }
  return "nothing was refused";
}

describe("the examples", () => {
  it("load and run to their end", () => {
    const spec = stagesInOrder(readWorkloadFile(example("workload.json")));
    expect(runTrace(spec, { tasks: 4 }).trace.tasks.every(({ finishedAtMs }) => finishedAtMs !== null)).toBe(true);
    const { pool } = readProfileFile(example("profile.json"));
    expect(checkFit(spec, pool)).toEqual([]);
  });

  it.each(builtinWorkloads)("could be replaced by the built-in workload $name: it passes the same checks", (spec) => {
    expect(workloadSchema.parse(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
    expect(checkWorkload(spec)).toEqual([]);
    expect(stagesInOrder(spec)).toEqual(spec);
  });

  it.each(builtinProfiles)("could be replaced by the built-in profile $name", (profile) => {
    expect(profileSchema.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
  });
});

const stages = (workload: Loose) => workload.workflows?.[0]?.stages as Loose;

describe("a workload file is refused with its place", () => {
  const set = (target: Loose | undefined, field: string, value: unknown) =>
    Object.assign(target ?? {}, { [field]: value });

  it.each<[what: string, change: (workload: Loose) => unknown, message: string]>([
    [
      "stages that wait for each other",
      (workload) => set(stages(workload)[0], "after", ["write"]),
      'changed.json: workflows[0].stages[1].after[0]: The stages wait for each other: "plan" waits for "write" waits for "read" waits for "plan".',
    ],
    [
      "a stage that waits for itself",
      (workload) => set(stages(workload)[3], "after", ["write", "discuss"]),
      'changed.json: workflows[0].stages[3].after[1]: The stages wait for each other: "discuss" waits for "discuss".',
    ],
    [
      "an unknown stage",
      (workload) => set(stages(workload)[3], "after", ["wrote"]),
      'changed.json: workflows[0].stages[3].after[0]: There is no stage "wrote" in this workflow.',
    ],
    [
      "a stage read but not waited for",
      (workload) => set(stages(workload)[2], "reads", ["read", "plan"]),
      'changed.json: workflows[0].stages[2].reads[1]: Stage "write" reads "plan" but does not wait for it. Name it in "after" too.',
    ],
    [
      "an unknown agent",
      (workload) => set(stages(workload)[1], "agent", "nobody"),
      'changed.json: workflows[0].stages[1].agent: There is no agent "nobody".',
    ],
    [
      "an unknown speaker",
      (workload) => set(stages(workload)[3], "speakers", ["planner", "guest"]),
      'changed.json: workflows[0].stages[3].speakers[1]: There is no agent "guest".',
    ],
    [
      "an id that is there twice",
      (workload) => set(stages(workload)[1], "id", "plan"),
      'changed.json: workflows[0].stages[1].id: The id "plan" is already that of workflows[0].stages[0].\n' +
        'changed.json: workflows[0].stages[2].after[0]: There is no stage "read" in this workflow.',
    ],
    [
      "an empty prompt",
      (workload) => set(stages(workload)[0], "tailTokens", [0, 5]),
      'changed.json: workflows[0].stages[0].tailTokens[0]: Stage "plan" may have nothing to say behind its prefix. Let it begin at 1, or name stages in "reads".',
    ],
    [
      "a negative number",
      (workload) => set(stages(workload)[0], "tailTokens", [-100, 300]),
      "changed.json: workflows[0].stages[0].tailTokens[0]: This must be 0 or more, not -100.",
    ],
    [
      "a negative time",
      (workload) => set(stages(workload)[1]?.gap, "lowMs", -5),
      "changed.json: workflows[0].stages[1].gap.lowMs: This must be 0 or more, not -5.",
    ],
    [
      "a missing time",
      (workload) => set(workload.workflows?.[1]?.stages?.[0]?.gap, "medianMs", undefined),
      "changed.json: workflows[1].stages[0].gap.medianMs: This field is missing.",
    ],
    [
      "a missing pause",
      (workload) => set(workload.workflows?.[1]?.stages?.[0], "gap", undefined),
      "changed.json: workflows[1].stages[0].gap: This field is missing.",
    ],
    [
      "a missing number",
      (workload) => set(stages(workload)[2], "outputTokens", undefined),
      "changed.json: workflows[0].stages[2].outputTokens: This field is missing.",
    ],
    [
      "a number that is none",
      (workload) => set(workload.agents?.[0], "prefixTokens", ["many", 900]),
      'changed.json: agents[0].prefixTokens[0]: This must be a number, not "many".',
    ],
    [
      "a broken number",
      (workload) => set(workload.agents?.[0], "prefixTokens", [1.5, 900]),
      "changed.json: agents[0].prefixTokens[0]: This must be a whole number, not 1.5.",
    ],
    [
      "a range the wrong way round",
      (workload) => set(workload.agents?.[0], "prefixTokens", [900, 100]),
      "changed.json: agents[0].prefixTokens: The first number must not be larger than the second.",
    ],
    [
      "a number where a range is wanted",
      (workload) => set(workload.agents?.[0], "prefixTokens", 900),
      "changed.json: agents[0].prefixTokens: This must be a list of two numbers, not 900.",
    ],
    [
      "an unknown kind",
      (workload) => set(stages(workload)[0], "kind", "dance"),
      'changed.json: workflows[0].stages[0].kind: This must be "call" or "conversation" or "group_chat", not "dance".',
    ],
    [
      "a field that there is not",
      (workload) => set(stages(workload)[0], "promptTokens", [1, 2]),
      'changed.json: workflows[0].stages[0]: There is no field "promptTokens" here.',
    ],
    ["no agents", (workload) => set(workload, "agents", []), "changed.json: agents: There must be something in here."],
  ])("%s", (_, change, message) => {
    expect(refusal(readWorkloadFile, workloadWith(change))).toMatch(message);
  });

  it("all of them at once", () => {
    const file = workloadWith((workload) => {
      set(stages(workload)[1], "agent", "nobody");
      set(workload.workflows?.[1]?.stages?.[0], "agent", "nobody");
    });
    expect(refusal(readWorkloadFile, file).split("\n")).toEqual([
      'changed.json: workflows[0].stages[1].agent: There is no agent "nobody".',
      'changed.json: workflows[1].stages[0].agent: There is no agent "nobody".',
    ]);
  });
});

describe("a profile file is refused with its place", () => {
  it.each<[what: string, change: (profile: Loose) => unknown, message: string]>([
    [
      "a missing time",
      (profile) => Object.assign(profile, { prefillMsPerToken: undefined }),
      "changed.json: prefillMsPerToken: This field is missing.",
    ],
    [
      "a time that is not positive",
      (profile) => Object.assign(profile, { prefillMsPerToken: 0 }),
      "changed.json: prefillMsPerToken: This must be more than 0, not 0.",
    ],
    [
      "no steps",
      (profile) => Object.assign(profile, { stepMs: [] }),
      "changed.json: stepMs: There must be something in here.",
    ],
    [
      "steps that get shorter",
      (profile) => Object.assign(profile, { stepMs: [20, 10] }),
      "changed.json: stepMs: A step with more requests cannot be shorter than one with fewer.",
    ],
    [
      "half a pool",
      (profile) => Object.assign(profile, { pool: { kind: "slots", slots: 4 } }),
      "changed.json: pool.slotTokens: This field is missing.",
    ],
  ])("%s", (_, change, message) => {
    expect(refusal(readProfileFile, profileWith(change))).toBe(message);
  });
});

describe("a file that is not JSON", () => {
  it.each([
    ["a word that means nothing", '{\n  "name": "x",\n  "agents": many\n}', 3, 13],
    ["a comma too much", '{\n  "name": "x",\n}', 3, 1],
    ["a comma too few", "[\n 1,\n 2\n 3\n]", 4, 2],
    ["a text that does not end", '{\n "name": "x\n}', 2, 12],
    ["a file cut in the middle", '{\n  "name": "x",\n  "agents": [', 3, 14],
    ["something behind the end", "{}\n\n{}", 3, 1],
    ["nothing at all", "", 1, 1],
  ])("is refused with the line of %s", (_, text, line, column) => {
    expect(placeOfError(text)).toEqual({ line, column });
    const file = path.join(temporaryFolder(), "broken.json");
    writeFileSync(file, text);
    expect(refusal(readWorkloadFile, file)).toMatch(`broken.json: line ${line}, column ${column}: this is not JSON: `);
  });

  it("but is not there is refused by its name", () => {
    expect(refusal(readWorkloadFile, path.join(temporaryFolder(), "gone.json"))).toBe(
      "gone.json: there is no such file.",
    );
  });
});

describe("room in the pool", () => {
  it("is missing where the longest prompt and its answer are larger: both numbers are named", () => {
    const spec = readWorkloadFile(example("workload.json"));
    const prefix = prefixLengths(spec).get("writer") ?? 0;
    expect(prefix).toBe(1500);
    expect(checkFit(spec, { kind: "slots", slots: 4, slotTokens: 2048 })).toContainEqual({
      path: "workflows[0].stages[2]",
      message:
        'A prompt of agent "writer" can be 2,270 tokens long and its answer 448, together 2,718; a slot holds 2,048.',
    });
    expect(checkFit(spec, { kind: "tokens", budgetTokens: tokensNeeded(spec) })).toEqual([]);
    expect(checkFit(spec, { kind: "tokens", budgetTokens: tokensNeeded(spec) - 1 })).toHaveLength(1);
  });

  it.each(builtinWorkloads)("is never asked for beyond what was said: $name", (spec: WorkloadSpec) => {
    const longest = new Map<string, number>();
    for (const { agent, promptTokens } of longestRequests(spec)) {
      longest.set(agent, Math.max(longest.get(agent) ?? 0, promptTokens));
    }
    const prefixes = prefixLengths(spec);
    const { tasks } = generateWorkload({ spec, seed: 5, tasks: 40, meanGapMs: 1 });
    for (const { agent, parts } of tasks.flatMap(({ calls }) => calls)) {
      const prompt = parts.reduce((sum, { tokens }) => sum + tokens, prefixes.get(agent) ?? 0);
      expect(prompt).toBeLessThanOrEqual(longest.get(agent) ?? 0);
    }
  });
});
