/** A plan: what is admitted together, and what that is worth in seconds against leaving everything as it is. */
import type { Seconds, TaskId } from "../../contract/ids";
import { scoreOf, type Terms } from "../../topas/decision";
import type { RequestState } from "../../topas/state";
import { worthOf } from "./gains";
import { type Ledger, openLedger, type PrefixSet } from "./ledger";
import { slowSeconds } from "./slow";
import { isResident, type Ready, type World } from "./world";

export interface Plan {
  readonly set: PrefixSet;
  /** In the order in which they are to be admitted. */
  readonly admits: readonly Ready[];
  readonly terms: Terms;
  readonly score: Seconds;
}

/** Ready requests that did not fit before the pack gives up: the rest of a long queue is not likely to. */
const missesMax = 8;

/**
 * GREEDY-PACK (arXiv 2608.25523): the ready requests of the set's agents, largest aged gain first, until the pool is
 * full, nothing gains or `admissionsMax` is reached. `only` fixes the requests instead, whatever they gain.
 */
export function packPlan(world: World, set: PrefixSet, only?: ReadonlySet<Ready>): Plan {
  const draft = new Draft(world, openLedger(world, set));
  let misses = 0;
  for (const ready of only === undefined ? world.ready : inOrder(only)) {
    if (set[ready.agent.index] !== true) continue;
    if (draft.admits.length >= world.config.admissionsMax) break;
    if (draft.admit(ready, only !== undefined)) continue;
    misses += 1;
    if (misses > missesMax || draft.ledger.isFull()) break;
  }
  return draft.finish(set);
}

/** One plan has one score, however its requests were named. */
function inOrder(only: ReadonlySet<Ready>): readonly Ready[] {
  return only.size < 2 ? [...only] : [...only].sort((a, b) => a.place - b.place);
}

class Draft {
  readonly admits: Ready[] = [];
  readonly #served = new Map<TaskId, RequestState[]>();
  #moveS: Seconds = 0;
  #progress: Seconds = 0;
  #age: Seconds = 0;
  #priority: Seconds = 0;
  #fairness: Seconds = 0;
  #slow: Seconds = 0;

  constructor(
    readonly world: World,
    readonly ledger: Ledger,
  ) {}

  /** False where there is no room. A request that gains nothing is passed over. */
  admit(ready: Ready, always: boolean): boolean {
    const { config, gains } = this.world;
    const { request } = ready;
    const { taskId } = request.spec;
    const served = this.#served.get(taskId) ?? [];
    const gain = served.length === 0 ? ready.gain : gains.of(request, served);
    const slow = config.terms.slow ? this.#slowOf(ready) : 0;
    const isAlone = this.world.running.length + this.admits.length === 0;
    if (!always && !isAlone && worthOf(gain) + slow <= 0) return true;
    const moveS = this.ledger.admit(ready);
    if (moveS === null) return false;
    this.#served.set(taskId, [...served, request]);
    this.admits.push(ready);
    this.#moveS += moveS;
    this.#progress += gain.progress;
    this.#age += gain.age;
    this.#priority += gain.priority;
    this.#fairness += gain.fairness;
    this.#slow += slow;
    return true;
  }

  /** The first of a plan is asked for again and again: what it slows down is the same each time. */
  #slowOf(ready: Ready): Seconds {
    const { state, estimates, running } = this.world;
    if (this.admits.length > 0) {
      const beside = [...running, ...this.admits.map(({ request }) => request)];
      return slowSeconds(state, estimates, beside, ready.request);
    }
    ready.slowFirstS ??= slowSeconds(state, estimates, running, ready.request);
    return ready.slowFirstS;
  }

  finish(set: PrefixSet): Plan {
    const { config } = this.world;
    const tasks = this.#affectedTasks();
    const terms: Terms = {
      progress: this.#progress,
      age: this.#age,
      priority: this.#priority,
      fairness: this.#fairness,
      move: config.terms.move ? 0 - this.#moveS * tasks : 0, // never -0, which a file would lose
      slow: this.#slow,
      reuse: config.terms.reuse ? config.reuseShare * this.#reuse() * tasks : 0,
      preempt: 0,
    };
    return { set, admits: this.admits, terms, score: scoreOf(terms) };
  }

  /** Those beside which a prefix is brought in wait for it. */
  #affectedTasks(): number {
    const tasks = new Set(this.world.runningTasks);
    for (const taskId of this.#served.keys()) tasks.add(taskId);
    return tasks.size;
  }

  /** Seconds of moving saved for the calls that come next, less what is lost to them: a prefix is brought in once for all. */
  #reuse(): Seconds {
    let change = 0;
    for (const agent of this.world.agents) {
      const was = isResident(agent);
      const is = this.ledger.isResident(agent);
      if (was === is) continue;
      const admitted = is ? this.admits.filter((ready) => ready.agent === agent).length : 0;
      const calls = agent.ahead + agent.ready.length - admitted;
      if (calls > 0) change += is ? agent.bringS : 0 - agent.lossS;
    }
    return change;
  }
}
