import { describe, expect, test } from "vitest";
import { policyNames } from "../../core/policies/policies";
import {
  age,
  count,
  counted,
  duration,
  listed,
  mean,
  median,
  megabytes,
  percent,
  scoreMs,
} from "../../renderer/words/figures";
import { nowSentence, tallyOf } from "../../renderer/words/now-sentence";
import { outageOutlook, outageSteps } from "../../renderer/words/outage";
import { POLICIES } from "../../renderer/words/policies";
import { wholeSecondRates } from "../../renderer/words/rates";
import { flowName, notReadyRows } from "../../renderer/words/tasks";
import { busyView } from "./made-up/busy-view";
import { idleView } from "./made-up/idle-view";
import { outageStatus } from "./made-up/outage";
import { NOW_MS } from "./made-up/parts";
import { readyStatus } from "./made-up/ready-status";

describe("figures", () => {
  test("times carry their unit, and a running time keeps it for the first minute and a half", () => {
    expect(duration(310)).toBe("310 ms");
    expect(duration(1_940)).toBe("1.9 s");
    expect(duration(999.7)).toBe("1.0 s");
    expect(age(0)).toBe("0.0 s");
    expect(age(-5)).toBe("0.0 s");
    expect(age(61_000)).toBe("61.0 s");
    expect(age(125_000)).toBe("2 min 5 s");
    expect(age(7_500_000)).toBe("2 h 5 min");
  });

  test("counts are grouped and negative numbers have a true minus", () => {
    expect(count(1_210)).toBe("1,210");
    expect(count(-4)).toBe("−4");
    expect(counted(1, "request")).toBe("1 request");
    expect(counted(4, "request")).toBe("4 requests");
  });

  test("a percentage is rounded down, so that 100% means all of it", () => {
    expect(percent(0.999)).toBe("99%");
    expect(percent(1)).toBe("100%");
    expect(percent(-1)).toBe("0%");
  });

  test("a score is shown in milliseconds and never rounded to zero", () => {
    expect(scoreMs(1.674)).toBe("1,674");
    expect(scoreMs(-0.93)).toBe("−930");
    expect(scoreMs(0.0002)).toBe("0.2");
    expect(scoreMs(-0.0002)).toBe("−0.2");
    expect(scoreMs(0)).toBe("0");
  });

  test("sizes are in decimal megabytes and gigabytes", () => {
    expect(megabytes(98_362_432)).toBe("98 MB");
    expect(megabytes(12_400_000_000)).toBe("12.4 GB");
  });

  test("median and mean of nothing are unknown", () => {
    expect(median([])).toBeNull();
    expect(mean([])).toBeNull();
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(mean([1, 2])).toBe(1.5);
  });

  test("names are listed as one says them", () => {
    expect(listed([])).toBe("");
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
  });
});

describe("the sentence of this moment", () => {
  const say = (view = busyView, status = readyStatus) => nowSentence(view, status, null, NOW_MS);

  test("a failure goes before everything else", () => {
    const status = { ...readyStatus, serverProblem: "Port 8642 is in use." };
    expect(say(busyView, status)).toEqual({ kind: "failure", text: "Port 8642 is in use." });
  });

  test("an idle slot while requests wait goes before the longest wait", () => {
    expect(say().text).toBe("Slot 3 is idle on purpose: it keeps writer warm for Research crew 3.");
  });

  test("a slot that is held for speed is explained with the sentence of the request that is held", () => {
    const slots = busyView.slots.map((slot) => ({ ...slot, keptFor: null }));
    const queue = busyView.queue.map((row) => ({
      ...row,
      code: "HELD_FOR_SPEED" as const,
      sentence: "Waits because.",
    }));
    expect(say({ ...busyView, slots, queue }).text).toBe("Slot 3 is idle while 4 requests wait. Waits because.");
  });

  test("with all slots busy the request that waits longest is named with its reason", () => {
    const slots = busyView.slots.slice(0, 3);
    const text =
      "coder#2 waits longest, 1 s so far. Waits because slot 3 stays warm for writer, which Research crew 3 needs next.";
    expect(say({ ...busyView, slots })).toEqual({ kind: "longest_wait", text });
  });

  test("when nothing waits all agents run, and when nothing runs it is ready", () => {
    const running = Object.entries(busyView.requests).filter(([, request]) => request.phase !== "waiting");
    expect(say({ ...busyView, requests: Object.fromEntries(running), queue: [] }).kind).toBe("all_run");
    expect(say(idleView).text).toBe("Ready. Point your agents at the URL above.");
  });

  test("a change of policy says from which decision on it holds, for five seconds", () => {
    const change = { policy: "fcfs" as const, fromDecision: 43, atMs: NOW_MS - 1_000 };
    expect(nowSentence(busyView, readyStatus, change, NOW_MS).text).toBe("FCFS decides from decision 43 on.");
    expect(nowSentence(busyView, readyStatus, change, NOW_MS + 5_000).kind).toBe("idle_slot");
  });

  test("the tally counts running and waiting requests and warm slots", () => {
    expect(tallyOf(busyView)).toEqual({ running: 3, warm: 1, waiting: 4 });
  });
});

describe("an outage in words", () => {
  const outage = outageStatus.outage;
  if (outage === null) throw new Error("The outage moment has no outage.");

  test("steps that are over, under way and to come are told apart", () => {
    expect(outageSteps(outage)).toEqual([
      { state: "done", text: "stopped: the engine's process ended with signal SIGABRT" },
      { state: "done", text: "process started, try 1 of 5" },
      { state: "now", text: "loading model 62%" },
      { state: "to_come", text: "resume 3 requests" },
    ]);
  });

  test("before the next try nothing is said to have started", () => {
    const steps = outageSteps({ ...outage, phase: "waiting", attempt: 2 });
    expect(steps.map((step) => step.state)).toEqual(["done", "now", "to_come", "to_come"]);
    expect(steps[1]?.text).toBe("next try 2 of 5");
  });

  test("what becomes of the requests is said with their numbers", () => {
    expect(outageOutlook(outage)).toBe(
      "3 running requests go on after the last token they sent, 4 waiting ones keep their place. Clients stay connected.",
    );
    expect(outageOutlook({ ...outage, runningRequests: 1, waitingRequests: 1 })).toBe(
      "1 running request goes on after the last token it sent, 1 waiting one keeps its place. Clients stay connected.",
    );
    expect(outageOutlook({ ...outage, runningRequests: 0, waitingRequests: 0 })).toBe("No request was under way.");
  });
});

describe("what is not ready", () => {
  test("a stage names whose answers it needs, only of tasks that have started", () => {
    expect(
      notReadyRows(busyView.tasks).map(({ stage, flow, sentence, code }) => [stage.label, flow, sentence, code]),
    ).toEqual([
      ["writer", "Research crew, task 3", "Needs the answers of worker#3 and worker#4.", "WAITS_FOR_PARENT"],
      ["reviewer", "Code crew, task 4", "Needs the answer of coder#2.", "WAITS_FOR_PARENT"],
    ]);
  });

  test("a stage whose parents have all answered waits for its client", () => {
    const tasks = busyView.tasks.map((task) => ({
      ...task,
      stages: task.stages.map((stage) => (stage.label === "coder#2" ? { ...stage, phase: "done" as const } : stage)),
    }));
    const review = notReadyRows(tasks).find((row) => row.stage.label === "reviewer");
    expect(review).toMatchObject({ code: "WAITS_FOR_CLIENT", sentence: "Its client has not sent it yet." });
  });

  test("a request without a workflow says so", () => {
    expect(flowName(busyView, "code-4")).toBe("Code crew, task 4");
    expect(flowName(busyView, "tester#2")).toBe("no workflow");
  });
});

describe("tokens per second", () => {
  test("the second that is not over is left out", () => {
    expect(wholeSecondRates([1, 2, 3], 41, 41_600)).toEqual([1, 2]);
  });

  test("seconds since the last token count as zero", () => {
    expect(wholeSecondRates([1, 2, 3], 41, 43_100)).toEqual([3, 0]);
    expect(wholeSecondRates([1, 2, 3], 41, 99_000)).toEqual([0, 0]);
  });
});

test("every policy that a server can be told to use has its words, in the same order", () => {
  expect(POLICIES.map(({ name }) => name)).toEqual(policyNames);
});
