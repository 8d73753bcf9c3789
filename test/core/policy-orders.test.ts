/** Whom each baseline lets go first, by the rule that makes it itself. */
import { expect, it } from "vitest";
import type { PolicyName } from "../../core/contract/policy-name";
import type { RequestSpec } from "../../core/topas/inputs";
import type { Stage, Workflow } from "../../core/topas/workflow";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";
import { smallCpuCosts } from "../support/workloads";

/** A step takes a second with one sequence, two with two. */
const slowCosts = { prefillMsPerToken: 1, stepMs: [1_000, 2_000], copyMs: 1, origin: "given" } as const;

it("LPM lets the one go first that finds most of its prompt in the KV cache", () => {
  const scheduler = busy("lpm", { promptTokens: tokensOf(1, 100) });
  scheduler.submit("stranger", { promptTokens: tokensOf(2, 100) });
  scheduler.submit("half", { promptTokens: [...tokensOf(1, 50), ...tokensOf(3, 50)] });
  scheduler.submit("all", { promptTokens: [...tokensOf(1, 90), ...tokensOf(4, 10)] });
  expect(orderOf(scheduler)).toEqual(["all", "half", "stranger"]);
});

it("LPM takes them as they came with more than 128 waiting", () => {
  const scheduler = busy("lpm", { promptTokens: tokensOf(1, 100) });
  for (let index = 1; index <= 127; index += 1) scheduler.submit(`stranger${index}`);
  scheduler.submit("matching", { promptTokens: tokensOf(1, 100) });
  expect(orderOf(scheduler)[0]).toBe("matching");
  scheduler.submit("one more");
  expect(orderOf(scheduler)).toHaveLength(129);
  expect(orderOf(scheduler).indexOf("matching")).toBe(127);
});

it("LPM puts those last whose beginning another one waiting will compute", () => {
  const scheduler = busy("lpm");
  scheduler.submit("first of both", { promptTokens: [...tokensOf(2, 32), ...tokensOf(3, 20)] });
  scheduler.submit("second of both", { promptTokens: [...tokensOf(2, 32), ...tokensOf(4, 20)] });
  scheduler.submit("shares too little", { promptTokens: [...tokensOf(2, 31), ...tokensOf(5, 20)] });
  expect(orderOf(scheduler)).toEqual(["first of both", "shares too little", "second of both"]);
});

it("LPM keeps to that while the beginning is not computed yet, and not after", () => {
  const scheduler = new HandDrivenScheduler({ policy: "lpm" });
  scheduler.take({ origin: "engine", kind: "engine.lost", atMs: 0, reason: "restarted" });
  scheduler.submit("first of both", { promptTokens: tokensOf(2, 200) });
  scheduler.submit("second of both", { promptTokens: [...tokensOf(2, 190), ...tokensOf(4, 10)] });
  scheduler.submit("alone", { promptTokens: tokensOf(3, 10) }, 1);
  scheduler.take({ origin: "engine", kind: "engine.ready", atMs: 0, slots: 2, slotTokens: 2048, costs: smallCpuCosts });
  expect(scheduler.isRunning("first of both") && scheduler.isRunning("alone")).toBe(true);
  scheduler.stepUntil(() => scheduler.isRunning("second of both"));
  expect(lastAdmission(scheduler).source.kind).toBe("fork");
});

it("SPF lets the task go first of which least is left", () => {
  const scheduler = busy("spf");
  scheduler.declare(diamond);
  scheduler.declare({ workflowId: "single", name: "Single", stages: [stage("only")] });
  scheduler.submit("long task", call("task1", "root"));
  scheduler.submit("short task", { ...call("task2", "only"), workflowId: "single" });
  expect(orderOf(scheduler)).toEqual(["short task", "long task"]);
});

it("Parrot keeps to the order of the tasks and lets deeper stages of one go first", () => {
  const scheduler = busy("parrot");
  scheduler.declare(diamond);
  scheduler.submit("first task's beginning", call("task1", "root"));
  scheduler.submit("second task's end", call("task2", "join"));
  scheduler.submit("first task's end", call("task1", "join"));
  expect(orderOf(scheduler)).toEqual(["first task's end", "first task's beginning", "second task's end"]);
});

it("Parrot lets siblings with one consumer go side by side", () => {
  const scheduler = busy("parrot");
  scheduler.declare(diamond);
  scheduler.submit("left", call("task1", "left"));
  scheduler.submit("aside", call("task1", "aside"));
  scheduler.submit("right", call("task1", "right"));
  expect(orderOf(scheduler)).toEqual(["left", "right", "aside"]);
});

it("PLAS lets the program go first that was served less", () => {
  const scheduler = serveOnce("plas", ["task1"], 40);
  scheduler.submit("again", { taskId: "task1" });
  scheduler.submit("new", { taskId: "task2" });
  expect(orderOf(scheduler)).toEqual(["new", "again"]);
});

it("PLAS lets a program into the first queue once it waited for as long as it was served", () => {
  const scheduler = serveOnce("plas", ["task1"], 40);
  scheduler.submit("again", { taskId: "task1" });
  scheduler.atMs += 60_000;
  scheduler.submit("new", { taskId: "task2" });
  expect(orderOf(scheduler)).toEqual(["again", "new"]);
});

it("ATLAS charges a program its longest chain where PLAS charges it all its calls", () => {
  const [atlas, plas] = (["atlas", "plas"] as const).map((policy) => {
    const scheduler = serveOnce(policy, ["task1", "task1"], 10);
    scheduler.submit("again", { taskId: "task1" });
    scheduler.submit("new", { taskId: "task2" });
    return orderOf(scheduler);
  });
  expect(atlas).toEqual(["again", "new"]);
  expect(plas).toEqual(["new", "again"]);
});

it("HRRN lets a short one overtake a long one, and the long one in the end go before a new short one", () => {
  const scheduler = busy("hrrn");
  scheduler.submit("long", { maxTokens: 100 });
  scheduler.atMs += 1_000;
  scheduler.submit("short", { maxTokens: 2 });
  scheduler.atMs += 10_000;
  scheduler.submit("new");
  expect(orderOf(scheduler)).toEqual(["short", "long", "new"]);
});

it("Kairos lets the call go first after which less of the workflow follows, where SPF sees one and the same task", () => {
  const [kairos, spf] = (["kairos", "spf"] as const).map((policy) => {
    const scheduler = busy(policy);
    scheduler.declare(diamond);
    scheduler.submit("much follows", call("task1", "left"));
    scheduler.submit("nothing follows", call("task1", "end"));
    return orderOf(scheduler);
  });
  expect(kairos).toEqual(["nothing follows", "much follows"]);
  expect(spf).toEqual(["much follows", "nothing follows"]);
});

it("Continuum keeps to the order of the programs, whichever call came first", () => {
  const scheduler = busy("continuum", { taskId: "task1" });
  scheduler.submit("second program", { taskId: "task2" });
  scheduler.submit("first program", { taskId: "task1" });
  expect(orderOf(scheduler)).toEqual(["first program", "second program"]);
});

const stage = (id: string, ...after: string[]): Stage => ({
  id,
  agent: id,
  after,
  expectedCalls: 1,
  expectedOutputTokens: 10,
});

/** left and right feed the join; aside only the end. */
const diamond: Workflow = {
  workflowId: "diamond",
  name: "Diamond",
  stages: [
    stage("root"),
    stage("left", "root"),
    stage("aside", "root"),
    stage("right", "root"),
    stage("join", "left", "right"),
    stage("end", "join", "aside"),
  ],
};

function call(taskId: string, stageId: string): Partial<RequestSpec> {
  return { taskId, workflowId: "diamond", stageId, agent: stageId };
}

/** One slot, and a request in it whose prompt is evaluated. */
function busy(policy: PolicyName, change: Partial<RequestSpec> = {}): HandDrivenScheduler {
  const scheduler = new HandDrivenScheduler({ policy, slots: 1 });
  scheduler.submit("runs", change);
  scheduler.step();
  return scheduler;
}

/** Calls of those tasks that ran side by side for so many tokens; then all slots are busy with others. */
function serveOnce(policy: PolicyName, tasks: readonly string[], output: number): HandDrivenScheduler {
  const scheduler = new HandDrivenScheduler({ policy, slots: tasks.length, costs: slowCosts });
  for (const [index, taskId] of tasks.entries()) {
    scheduler.submit(`served${index}`, { taskId, maxTokens: output });
  }
  scheduler.stepUntil(() => tasks.every((_, index) => scheduler.isOver(`served${index}`)));
  for (const index of tasks.keys()) scheduler.submit(`runs${index}`);
  return scheduler;
}

function orderOf(scheduler: HandDrivenScheduler): string[] {
  return scheduler.lastDecision()?.waits.map(({ requestId }) => requestId) ?? [];
}

function lastAdmission(scheduler: HandDrivenScheduler) {
  const admission = scheduler.of("request.admitted").at(-1);
  if (admission === undefined) throw new Error("Nobody was admitted.");
  return admission;
}
