/**
 * The joint choice: which agents' prefixes are resident and which ready requests run. Few agents: every prefix set. More:
 * from the present set, the best single change, then the best pair, until nothing helps (arXiv 2608.25523, section 3 of its search).
 */
import { type Plan, packPlan } from "./plan";
import { type AgentInPlay, isResident, type Ready, type World } from "./world";

/** With more agents to choose from, not every set is tried: 2^5 packs are as dear as the search by steps. */
const everySetMax = 5;
const roundsMax = 4;
const repairTriesMax = 96;
/** Of one agent's requests only the most valuable are worth a try. */
const triedOfAgent = 2;

export interface Found {
  readonly best: Plan;
  /** The best plan seen that admits a request of each agent, by `AgentInPlay.index`. */
  readonly byAgent: ReadonlyMap<number, Plan>;
}

export function searchPlans(world: World): Found {
  const seen = new SeenPlans(world);
  const present = seen.best.set;
  const open = world.agents.filter((agent) => agent.running === 0 && (agent.idle.length > 0 || agent.ready.length > 0));
  if (open.length <= everySetMax) tryEverySet(seen, present, open);
  else climb(seen, open);
  repair(seen);
  return seen;
}

class SeenPlans {
  best: Plan;
  readonly byAgent = new Map<number, Plan>();

  constructor(readonly world: World) {
    const present = world.agents.map(isResident);
    this.best = packPlan(world, present);
    this.#note(this.best);
  }

  /** True if it is better than all before. `only`: with just these requests. */
  try(set: readonly boolean[], only?: ReadonlySet<Ready>): boolean {
    const plan = packPlan(this.world, set, only);
    this.#note(plan);
    if (plan.admits.length === 0) return false;
    if (this.best.admits.length > 0 && plan.score <= this.best.score) return false;
    this.best = plan;
    return true;
  }

  #note(plan: Plan): void {
    for (const { agent } of plan.admits) {
      const known = this.byAgent.get(agent.index);
      if (known === undefined || plan.score > known.score) this.byAgent.set(agent.index, plan);
    }
  }
}

function tryEverySet(seen: SeenPlans, present: readonly boolean[], open: readonly AgentInPlay[]): void {
  for (let bits = 0; bits < 1 << open.length; bits += 1) {
    const set = [...present];
    open.forEach(({ index }, at) => {
      set[index] = (bits & (1 << at)) !== 0;
    });
    seen.try(set);
  }
}

/** Each agent by itself first, with all that is idle free to go: what fits at all is found so, however much stands in its way. */
function climb(seen: SeenPlans, open: readonly AgentInPlay[]): void {
  const bare = seen.world.agents.map(({ running }) => running > 0);
  for (const agent of open) if (agent.ready.length > 0) seen.try(flipped(bare, agent));
  for (let round = 0; round < roundsMax; round += 1) {
    const from = seen.best.set;
    let better = false;
    for (const agent of open) better = seen.try(flipped(from, agent)) || better;
    if (better) continue;
    if (!seen.world.hasRoomForTwo) return;
    for (const [at, one] of open.entries()) {
      for (const other of open.slice(at + 1)) better = seen.try(flipped(from, one, other)) || better;
    }
    if (!better) return;
  }
}

function flipped(set: readonly boolean[], ...agents: readonly AgentInPlay[]): boolean[] {
  const changed = [...set];
  for (const { index } of agents) changed[index] = changed[index] !== true;
  return changed;
}

/** The pack took requests by their gain alone. Leave one out, or put another in its place, while that helps. */
function repair(seen: SeenPlans): void {
  const { agents } = seen.world;
  let triesLeft = repairTriesMax;
  for (let better = true; better && triesLeft > 0; ) {
    const { admits, set } = seen.best;
    better = false;
    for (const out of admits) {
      const rest = admits.filter((one) => one !== out);
      if (rest.length > 0) better = seen.try(set, new Set(rest)) || better;
      for (const put of firstOfAgents(agents, admits)) {
        triesLeft -= 1;
        if (triesLeft <= 0) return;
        const wider =
          set[put.agent.index] === true ? set : agents.map(({ index }) => set[index] || index === put.agent.index);
        better = seen.try(wider, new Set([...rest, put])) || better;
      }
    }
  }
}

function firstOfAgents(agents: readonly AgentInPlay[], without: readonly Ready[]): Ready[] {
  return agents.flatMap(({ ready }) => {
    const others = ready.filter((one) => !without.includes(one));
    return others.sort((a, b) => a.place - b.place).slice(0, triedOfAgent);
  });
}
