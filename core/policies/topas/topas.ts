/**
 * TOPAS: the prefixes that stay warm and the requests that run are chosen together, for the best score in seconds
 * (arXiv 2608.25523; core/README.md). One choice does the first step of the best plan; then everything is looked at again.
 */
import type { SchedulerConfig } from "../../topas/config";
import { type Action, type Candidate, noTerms, scoreOf, type Terms } from "../../topas/decision";
import { kvPool, type Placement } from "../../topas/pool";
import type { Choice, Policy } from "../policy";
import { waitsFor } from "../waits";
import { overdueRequest } from "./overdue";
import { placeOf } from "./placement";
import { type Plan, packPlan } from "./plan";
import { bestPreemption } from "./preempt";
import { type Found, searchPlans } from "./search";
import { holdReason, milliseconds, whyAdmitted, whyFirst } from "./words";
import { isResident, type Ready, type World, worldNow } from "./world";

export const topas: Policy = {
  name: "topas",
  choose(state, config) {
    const world = worldNow(state, config);
    const oldest = overdueRequest(state, config);
    const overdue = oldest === null ? undefined : world.ready.find(({ request }) => request === oldest);
    if (overdue !== undefined) return admitOverdue(world, overdue);
    const found = searchPlans(world);
    const { best } = found;
    const first = best.admits[0];
    const preemption = first === undefined ? bestPreemption(world, 0) : null;
    if (preemption !== null) return preempted(world, preemption);
    if (first === undefined) return held(world, found);
    if (world.running.length > 0 && best.score <= 0 - config.holdCostS) return held(world, found);
    const placement = placeOf(world, first.request, best.set);
    if (placement === null) return held(world, found);
    const candidates = [admission(first, placement, best), ...rivals(world, found, first)];
    return { candidates, verdict: whyAdmitted(state, candidates, best.admits.length), kept: null, waits: [] };
  },
};

function preempted({ state, config }: World, preemption: Candidate): Choice {
  const { action, score } = preemption;
  const label = action.kind === "preempt" ? state.requests.get(action.requestId)?.label : "";
  const verdict = `Parked ${label}: ${milliseconds(score)} better than letting it go on.`;
  return { candidates: [preemption, holdCandidate(config)], verdict, kept: null, waits: [] };
}

function admitOverdue(world: World, overdue: Ready): Choice {
  const { state } = world;
  const set = world.agents.map(({ index }) => index === overdue.agent.index);
  const placement = placeOf(world, overdue.request, set);
  const plan = packPlan(world, set, new Set([overdue]));
  if (placement === null) return held(world, { best: plan, byAgent: new Map() });
  const candidates = [admission(overdue, placement, plan)];
  const verdict = `${whyAdmitted(state, candidates, 0)}: it has waited longer than the bound.`;
  return { candidates, verdict, kept: null, waits: [] };
}

function admission({ request }: Ready, { slot, source, evicts }: Placement, { terms, score }: Plan): Candidate {
  const action: Action = {
    kind: "admit",
    requestId: request.spec.requestId,
    slot,
    source,
    evicts,
  };
  return { action, terms, score };
}

/** Leaving everything as it is; what that costs stands as its age, because it makes everyone who waits older. */
function holdCandidate({ holdCostS }: SchedulerConfig): Candidate {
  return { action: { kind: "hold" }, terms: { ...noTerms, age: 0 - holdCostS }, score: 0 - holdCostS };
}

/** The best plans that begin otherwise: holding, and one for each agent that is not first. Only as many as are kept. */
function rivals(world: World, found: Found, first: Ready | null): Candidate[] {
  const { config } = world;
  if (config.candidatesKept <= 1) return [];
  const others = [...found.byAgent.values()].flatMap((plan) => {
    const begins = plan.admits.find((ready) => ready.agent !== first?.agent);
    const placement = begins === undefined ? null : placeOf(world, begins.request, plan.set);
    return begins === undefined || placement === null ? [] : [admission(begins, placement, plan)];
  });
  const hold = world.running.length > 0 ? [holdCandidate(config)] : [];
  return [...hold, ...others].sort((a, b) => b.score - a.score).slice(0, config.candidatesKept - 1);
}

function held(world: World, found: Found): Choice {
  const { state, config } = world;
  if (config.candidatesKept === 0) return { candidates: [holdCandidate(config)], verdict: "", kept: null, waits: [] };
  const ranked = world.ready
    .map((ready) => ({ request: ready.request, terms: aloneTerms(world, ready) }))
    .map((entry) => ({ ...entry, score: scoreOf(entry.terms) }))
    .sort((a, b) => b.score - a.score || a.request.arrival - b.request.arrival);
  const order = ranked.map(({ request, terms, score }, place) => {
    const next = ranked[place + 1]?.terms;
    return { request, score, goesFirst: next === undefined ? "" : whyFirst(state, request, terms, next) };
  });
  const hasRoom = kvPool(state).hasRoom(state);
  const planned = rivals(world, found, null).filter(({ action }) => action.kind !== "hold");
  const passed = hasRoom ? passedOver(world, found) : [];
  const candidates = [holdCandidate(config), ...[...planned, ...passed].sort((a, b) => b.score - a.score)];
  // With no rival at all beside pins it is the pins that leave no place.
  const isPinnedOut = state.pinned.size > 0 && candidates.every(({ action }) => action.kind === "hold");
  const reason = hasRoom && !isPinnedOut ? holdReason(world, candidates) : null;
  return {
    candidates: candidates.slice(0, config.candidatesKept),
    verdict: reason?.verdict ?? `Admitted nobody: no slot is ${isPinnedOut ? "free that is not pinned" : "free"}.`,
    kept: reason?.reason.kind === "prefix" ? reason.reason.kept : null,
    waits: waitsFor(state, order, reason?.reason ?? null),
  };
}

/** Who gains nothing is in no plan at all. Where nobody is admitted, the figures say why: the first of each agent, admitted all the same. */
function passedOver(world: World, found: Found): Candidate[] {
  if (world.config.candidatesKept <= 1) return [];
  const firsts = world.agents.flatMap(({ index, ready }) => {
    const [first] = [...ready].sort((a, b) => a.place - b.place);
    return first === undefined || found.byAgent.has(index) ? [] : [first];
  });
  return firsts.slice(0, world.config.candidatesKept - 1).flatMap((first) => {
    const beside = world.agents.map((agent) => isResident(agent) || agent === first.agent);
    const instead = world.agents.map((agent) => agent.running > 0 || agent === first.agent);
    const forced = [beside, instead].flatMap((set) => {
      const plan = packPlan(world, set, new Set([first]));
      const placement = plan.admits.length === 0 ? null : placeOf(world, first.request, set);
      return placement === null ? [] : [admission(first, placement, plan)];
    });
    return forced.sort((a, b) => b.score - a.score).slice(0, 1);
  });
}

/** What its admission would be worth by itself, with room for it: orders the queue. */
function aloneTerms(world: World, { gain, agent }: Ready): Terms {
  const { config, runningTasks } = world;
  const isHere = isResident(agent);
  const move = config.terms.move && !isHere ? 0 - agent.bringS * (runningTasks.size + 1) : 0;
  const reuse = config.terms.reuse && !isHere ? (agent.ahead + agent.ready.length - 1) * agent.lossS : 0;
  return { ...noTerms, ...gain, move, reuse };
}
