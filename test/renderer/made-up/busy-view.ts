/** A made-up busy moment of the live screen: eight agents on four slots, four requests waiting. */
import { emptyView } from "../../../core/view/fold";
import type { LiveView } from "../../../core/view/view";
import { NOW_MS, request, row, slot } from "./parts";
import { tasks } from "./tasks";

const RATES = [88, 92, 90, 97, 104, 101, 96, 74, 52, 58, 81, 95, 101, 99, 108, 113, 109, 94, 101, 107, 111, 108, 112];

export const busyView: LiveView = {
  ...emptyView("topas"),
  eventNumber: 5_000,
  atMs: NOW_MS,
  engine: { phase: "ready", lostReason: null, slots: 4, slotTokens: 2_048 },
  agents: ["planner", "worker", "writer", "architect", "coder", "reviewer", "tester", "chat"],
  requests: {
    "chat#9": request("chat#9", {
      phase: "prefill",
      slot: 0,
      promptTokens: 1_024,
      prefixTokens: 256,
      tokensToEvaluate: 128,
      arrivedAtMs: 38_000,
    }),
    "worker#3": request("worker#3", {
      phase: "decode",
      slot: 1,
      taskId: "research-3",
      stageId: "look-left",
      promptTokens: 1_074,
      generatedTokens: 142,
      tokensToEvaluate: 1,
    }),
    "worker#4": request("worker#4", {
      phase: "decode",
      slot: 2,
      taskId: "research-3",
      stageId: "look-right",
      promptTokens: 958,
      generatedTokens: 145,
      maxTokens: 165,
      tokensToEvaluate: 1,
    }),
    "coder#2": request("coder#2", {
      taskId: "code-4",
      stageId: "code",
      promptTokens: 1_210,
      arrivedAtMs: NOW_MS - 1_900,
    }),
    "planner#3": request("planner#3", {
      taskId: "research-5",
      stageId: "first",
      promptTokens: 655,
      arrivedAtMs: NOW_MS - 700,
    }),
    "architect#3": request("architect#3", {
      taskId: "code-6",
      stageId: "first",
      promptTokens: 850,
      arrivedAtMs: NOW_MS - 500,
    }),
    "tester#2": request("tester#2", { promptTokens: 402, arrivedAtMs: NOW_MS - 1_100 }),
  },
  slots: [
    slot(0, { requestId: "chat#9", agent: "chat", prefixTokens: 256, heldTokens: 896, toPrefillTokens: 128 }),
    slot(1, { requestId: "worker#3", agent: "worker", prefixTokens: 768, heldTokens: 1_216 }),
    slot(2, { requestId: "worker#4", agent: "worker", prefixTokens: 768, heldTokens: 1_103, forkedFrom: 1 }),
    slot(3, {
      agent: "writer",
      prefixTokens: 832,
      heldTokens: 960,
      idleSinceMs: NOW_MS - 400,
      keptFor: "Research crew 3",
    }),
  ],
  queue: [
    row("coder#2", {
      place: 1,
      score: 1.674,
      reuse: { kind: "prefill", tokens: 0 },
      code: "HELD_FOR_PREFIX",
      sentence: "Waits because slot 3 stays warm for writer, which Research crew 3 needs next.",
    }),
    row("planner#3", {
      place: 2,
      score: 0.979,
      reuse: { kind: "fork", tokens: 512, from: 1 },
      sentence: "Waits for a slot: coder#2 goes first because Code crew 4 ends sooner by it.",
    }),
    row("architect#3", {
      place: 3,
      score: 0.953,
      reuse: { kind: "in_place", tokens: 704 },
      sentence: "Waits for a slot: planner#3 goes first because Research crew 5 ends sooner by it.",
    }),
    row("tester#2", {
      place: 4,
      score: 0.282,
      reuse: { kind: "fork", tokens: 320, from: 0 },
      sentence: "Waits for a slot: architect#3 goes first because it shortens the work left more.",
    }),
  ],
  tasks,
  tokensPerSecond: [...new Array<number>(36).fill(0), ...RATES, 40],
  tokensPerSecondAt: 41,
  recentTtftMs: [310, 460, 1_900],
  recentJctMs: [12_300, 10_100],
  totals: {
    promptTokens: 18_000,
    computedTokens: 3_960,
    reusedTokens: 9_000,
    forkedTokens: 5_040,
    generatedTokens: 3_000,
    decisions: 1_284,
    finishedRequests: 19,
    failedRequests: 0,
    cancelledRequests: 0,
  },
};
