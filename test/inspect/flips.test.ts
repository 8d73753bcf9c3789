/** Every "would have won if" is true: the planner, asked by the test with that one thing changed, chooses the other one. */
import { describe, expect, it } from "vitest";
import { ask, winnerOf } from "../../core/inspect/ask";
import * as change from "../../core/inspect/changes";
import { inspect } from "../../core/inspect/inspect";
import type { ChangeKind, Flip } from "../../core/inspect/inspection";
import { StateLog } from "../../core/inspect/state-log";
import { seededRandom } from "../../core/sim/random";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import type { SchedulerState } from "../../core/topas/state";
import { smallWorld } from "../sim/properties/small-world";
import { HandDrivenScheduler, tokensOf } from "../support/scheduler";
import { smallCrewWorkload } from "../support/workloads";
import { type InspectedWorld, runInspected } from "./worlds";

interface Asked {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  readonly targetId: string | null;
  readonly winnersAgent: string | null;
}

function wins(state: SchedulerState, { config, targetId }: Asked): boolean {
  const { action } = winnerOf(ask(state, config));
  return targetId === null ? action.kind === "hold" : action.kind === "admit" && action.requestId === targetId;
}

/** The state that the flip's words describe; `less`: one step nearer to what was. */
function changedBy(flip: Flip, asked: Asked, less = 0): SchedulerState | null {
  const { state, targetId, winnersAgent } = asked;
  const [from, to] = [flip.from ?? 0, flip.to ?? 0];
  switch (flip.change) {
    case "older":
      return change.olderBy(state, targetId ?? "", to - from - less * 100);
    case "shorter_answer":
      return change.withMaxTokens(state, targetId ?? "", to + less);
    case "more_room":
      return change.withMoreRoom(state, targetId ?? "");
    case "stage_farther":
      return change.withStageFarther(state, winnersAgent ?? "");
    case "prefix_gone":
      return change.withoutPrefix(state, winnersAgent ?? "");
    default:
      return null;
  }
}

function check(run: InspectedWorld, config: SchedulerConfig, seen: Map<ChangeKind, number>): void {
  for (const { number } of run.decisions) {
    const moment = run.log.before(number);
    if (moment === null) throw new Error(`Decision ${number} is not kept.`);
    const { flips } = inspect(moment, config, run.records);
    const { decision, state } = moment;
    const winner = decision.candidates[0]?.action;
    const winners = winner?.kind === "hold" || winner === undefined ? undefined : state.requests.get(winner.requestId);
    const winnersAgent = decision.kept?.agent ?? winners?.spec.agent ?? null;
    const asked = { state, config, targetId: flips.targetRequestId, winnersAgent };
    if (flips.target !== null) expect(wins(state, asked), "the target must have lost").toBe(false);
    for (const flip of flips.list) {
      seen.set(flip.change, (seen.get(flip.change) ?? 0) + 1);
      const changed = changedBy(flip, asked);
      if (changed !== null) expect(wins(changed, asked), flip.sentence).toBe(true);
      const isSearched = flip.change === "older" || flip.change === "shorter_answer";
      const nearer = isSearched ? changedBy(flip, asked, 1) : null;
      if (nearer !== null) expect(wins(nearer, asked), `one step less than: ${flip.sentence}`).toBe(false);
    }
  }
}

describe("flips", () => {
  it("turn the decision, and the smallest change found is the smallest, in random worlds", () => {
    const seen = new Map<ChangeKind, number>();
    for (let seed = 1; seed <= 16; seed += 1) {
      const world = smallWorld(seed, { pool: seed % 2 === 0 ? "slots" : "tokens", config: { candidatesKept: 16 } });
      check(runInspected(world), world.config, seen);
    }
    expect(seen.get("older") ?? 0).toBeGreaterThan(0);
  });

  it("turn the decisions of the two crews on the small machine, of every kind", () => {
    const seen = new Map<ChangeKind, number>();
    const base = smallWorld(1, { pool: "slots", faults: false, policy: "topas" });
    for (let seed = 1; seed <= 4; seed += 1) {
      const engine = { ...base.engine, slots: 3, slotTokens: 2048 };
      const workload = () => smallCrewWorkload(seededRandom(seed));
      check(runInspected({ ...base, engine, config: defaultConfig, workload }), defaultConfig, seen);
    }
    for (const kind of ["older", "shorter_answer", "term_off"] as const) expect(seen.get(kind) ?? 0).toBeGreaterThan(0);
  });
});

/** Slot 0 runs, slot 1 is warm with an agent nobody needs; two requests wait for slot 1 of which one finds its prefix there. */
it("names the prefix that would have turned it, and leaves out what would not", () => {
  const scheduler = new HandDrivenScheduler({ policy: "lpm", slots: 2 });
  const log = new StateLog(defaultConfig);
  const warm = tokensOf(1, 400);
  const other = tokensOf(2, 400);
  scheduler.submit("busy", { promptTokens: tokensOf(3, 50), prefixTokens: 40, maxTokens: 500 });
  scheduler.submit("first", { agent: "warm", promptTokens: [...warm, 7], prefixTokens: 400, maxTokens: 20 }, 5);
  scheduler.submit("cold", { agent: "cold", promptTokens: [...other, 7], prefixTokens: 400 });
  scheduler.submit("hot", { agent: "warm", promptTokens: [...warm, 8], prefixTokens: 400 });
  const take = scheduler.take.bind(scheduler);
  scheduler.take = (input) => {
    log.note(input, scheduler.state);
    return take(input);
  };
  scheduler.stepUntil(() => scheduler.isRunning("hot"));
  const number = scheduler.of("request.admitted").find(({ requestId }) => requestId === "hot")?.decision ?? 0;
  const moment = log.before(number);
  if (moment === null) throw new Error("It was noted a moment ago.");
  const { flips, others, decided } = inspect(moment, defaultConfig, new Map());
  expect(flips.targetRequestId).toBe("cold");
  const sentences = flips.list.map(({ change: kind, sentence }) => `${kind}: ${sentence}`);
  expect(sentences).toContain("prefix_resident: slot 1 held its prefix, not warm's");
  expect(flips.tried).toContain("shorter_answer");
  expect(flips.list.map((flip) => flip.change)).not.toContain("shorter_answer");
  expect(others.find(({ policy }) => policy === "fcfs")).toMatchObject({ isSame: false, requestId: "cold" });
  expect(decided).toMatchObject({ kind: "rank", differences: [] });
});

it("says that it was the user's act, and what would have been done without it", () => {
  const scheduler = new HandDrivenScheduler({ policy: "topas", slots: 2 });
  const log = new StateLog(defaultConfig);
  const take = scheduler.take.bind(scheduler);
  scheduler.take = (input) => {
    log.note(input, scheduler.state);
    return take(input);
  };
  scheduler.take({ origin: "outside", kind: "queue.paused", atMs: 0 });
  scheduler.submit("waits", { promptTokens: tokensOf(1, 50), prefixTokens: 40 });
  const moment = log.before(scheduler.lastDecision()?.number ?? 0);
  if (moment === null) throw new Error("It was noted a moment ago.");
  const { decided, flips, others } = inspect(moment, defaultConfig, new Map());
  expect(decided).toMatchObject({ kind: "user", sentence: "Admitted nobody: paused by the user." });
  expect(flips.list).toMatchObject([{ change: "no_act", sentence: "you had left the queue alone" }]);
  expect(others.every(({ isSame }) => isSame)).toBe(true);
});
