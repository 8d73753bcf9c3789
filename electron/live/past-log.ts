/** What `explain` and its neighbours ask of the past beyond a request's own record: decisions, evictions and where a prompt left the known ones. */
import type { AgentId, Milliseconds, RequestId, Token } from "../../core/contract/ids";
import type { Decision } from "../../core/topas/decision";
import type { TopasEvent } from "../../core/topas/events";

const decisionsMax = 2_000;
const promptsMax = 64;
const findingsMax = 1_000;
const evictionsMax = 1_000;
/** Shown of each prompt from the first token that differs on, and of what both begin with before it. */
const excerptTokens = 48;

/** The known prompt with the longest common beginning, and what stands where they part. */
export interface PrefixFinding {
  readonly nearest: RequestId;
  readonly nearestAgent: AgentId;
  readonly commonTokens: number;
  /** They part within what all of the agent's prompts should begin with. */
  readonly isInPrefix: boolean;
  /** The end of what both begin with. */
  readonly before: readonly Token[];
  readonly here: readonly Token[];
  readonly there: readonly Token[];
}

export interface Eviction {
  readonly atMs: Milliseconds;
  readonly agent: AgentId;
  readonly by: RequestId;
  readonly decision: number;
}

interface KnownPrompt {
  readonly requestId: RequestId;
  readonly agent: AgentId;
  readonly tokens: readonly Token[];
  readonly prefixTokens: number;
}

export class PastLog {
  readonly decisions: Decision[] = [];
  readonly evictions: Eviction[] = [];
  readonly findings = new Map<RequestId, PrefixFinding>();
  readonly #prompts: KnownPrompt[] = [];

  hear(event: TopasEvent): void {
    switch (event.kind) {
      case "decision.made":
        return keep(this.decisions, event.decision, decisionsMax);
      case "request.admitted":
        for (const agent of event.evicts) {
          const { atMs, requestId: by, decision } = event;
          keep(this.evictions, { atMs, agent, by, decision }, evictionsMax);
        }
        return;
      case "request.arrived": {
        const { requestId, agent, prefixTokens, promptTokens: tokens } = event.request;
        this.#compare({ requestId, agent, tokens, prefixTokens });
        return keep(this.#prompts, { requestId, agent, tokens, prefixTokens }, promptsMax);
      }
      default:
        return;
    }
  }

  /** Of equally near prompts the newest. */
  #compare(prompt: KnownPrompt): void {
    let nearest: KnownPrompt | null = null;
    let common = 0;
    for (const known of this.#prompts) {
      const length = commonTokens(prompt.tokens, known.tokens);
      if (length > 0 && length >= common) [nearest, common] = [known, length];
    }
    if (nearest === null) return;
    this.findings.set(prompt.requestId, {
      nearest: nearest.requestId,
      nearestAgent: nearest.agent,
      commonTokens: common,
      isInPrefix: common < prompt.prefixTokens,
      before: prompt.tokens.slice(Math.max(0, common - excerptTokens), common),
      here: prompt.tokens.slice(common, common + excerptTokens),
      there: nearest.tokens.slice(common, common + excerptTokens),
    });
    for (const oldest of this.findings.keys()) {
      if (this.findings.size <= findingsMax) return;
      this.findings.delete(oldest);
    }
  }
}

function commonTokens(one: readonly Token[], other: readonly Token[]): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}

function keep<Item>(items: Item[], item: Item, most: number): void {
  items.push(item);
  if (items.length > most) items.shift();
}
