/** `GET /metrics`: counts for Prometheus, under llama-server's names where it has them, else under our own. */
import type { FastifyInstance } from "fastify";
import type { RequestRecord } from "../../core/view/request-record";
import type { Live } from "../live/live";
import type { HttpContext } from "./http-context";
import { route } from "./route";

export function registerMetrics(app: FastifyInstance, { live, joins }: HttpContext): void {
  route(app, "/metrics", {
    get: async (_request, reply) =>
      reply
        .type("text/plain; version=0.0.4; charset=utf-8")
        .header("cache-control", "no-store")
        .send(metricsText(live, joins.joined)),
  });
}

type Kind = "counter" | "gauge";

function metricsText(live: Live, joined: number): string {
  const { totals, requests, slots, tokensPerSecond, pausedSinceMs } = live.view;
  const open = Object.values(requests);
  const waiting = open.filter(({ phase }) => phase === "waiting").length;
  const held = slots.reduce((sum, { heldTokens }) => sum + heldTokens, 0);
  const room = slots.length * (live.engine?.slotTokens ?? 0);
  const rows: [string, Kind, string, number][] = [
    ["llamacpp:prompt_tokens_total", "counter", "Prompt tokens evaluated.", totals.computedTokens],
    [
      "llamacpp:prompt_tokens_cached_total",
      "counter",
      "Prompt tokens taken from the KV cache.",
      totals.reusedTokens + totals.forkedTokens,
    ],
    ["llamacpp:tokens_predicted_total", "counter", "Tokens generated.", totals.generatedTokens],
    [
      "llamacpp:predicted_tokens_seconds",
      "gauge",
      "Tokens generated in the last whole second.",
      tokensPerSecond.at(-1) ?? 0,
    ],
    ["llamacpp:requests_processing", "gauge", "Requests in a slot.", open.length - waiting],
    ["llamacpp:requests_deferred", "gauge", "Requests that wait.", waiting],
    ["llamacpp:kv_cache_tokens", "gauge", "Tokens held in all slots.", held],
    ["llamacpp:kv_cache_usage_ratio", "gauge", "Share of the KV cache in use.", room === 0 ? 0 : held / room],
    ["topas:decisions_total", "counter", "Decisions of the scheduler.", totals.decisions],
    ["topas:forked_tokens_total", "counter", "Prompt tokens copied from another slot.", totals.forkedTokens],
    ["topas:requests_joined_total", "counter", "Requests sent again that joined their first try.", joined],
    ["topas:queue_paused", "gauge", "1 while the user has paused the queue.", pausedSinceMs === null ? 0 : 1],
    ["topas:up", "gauge", "1 while the engine answers.", live.health === "ready" ? 1 : 0],
  ];
  const plain = rows.map(([name, kind, help, value]) => `${head(name, kind, help)}${name} ${value}\n`);
  return [...plain, outcomes(live), latencies(live.view.recentTtftMs), perAgent(live.past.requests())].join("");
}

function head(name: string, kind: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
}

function outcomes({ view: { totals } }: Live): string {
  const name = "topas:requests_total";
  const counts = {
    finished: totals.finishedRequests,
    failed: totals.failedRequests,
    cancelled: totals.cancelledRequests,
  };
  const lines = Object.entries(counts).map(([outcome, count]) => `${name}{outcome="${outcome}"} ${count}\n`);
  return head(name, "counter", "Requests that ended.") + lines.join("");
}

function latencies(recentMs: readonly number[]): string {
  const name = "topas:recent_ttft_seconds";
  const sorted = recentMs.toSorted((a, b) => a - b);
  const lines = [0.5, 0.9, 0.99].map((quantile) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
    return `${name}{quantile="${quantile}"} ${value === undefined ? "NaN" : value / 1000}\n`;
  });
  return head(name, "gauge", "Time to the first token of the last 100 requests.") + lines.join("");
}

const agentsMax = 100;

/** Gauges, for they count only what is remembered; the agents asked for last, so that names without end stay few. */
function perAgent(records: readonly RequestRecord[]): string {
  const agents = new Map<string, RequestRecord[]>();
  for (const record of records.toReversed()) {
    const ofAgent = agents.get(record.agent);
    if (ofAgent) ofAgent.push(record);
    else if (agents.size < agentsMax) agents.set(record.agent, [record]);
  }
  const columns: [string, string, (ofAgent: readonly RequestRecord[]) => number][] = [
    ["topas:agent_recent_requests", "Requests among those remembered.", (ofAgent) => ofAgent.length],
    ["topas:agent_recent_wait_seconds", "Their mean wait for a slot.", meanWaitS],
    ["topas:agent_recent_cached_ratio", "Share of their prompt tokens taken from the KV cache.", cachedShare],
  ];
  return columns
    .map(([name, help, value]) => {
      const lines = [...agents].map(([agent, ofAgent]) => `${name}{agent="${escaped(agent)}"} ${value(ofAgent)}\n`);
      return head(name, "gauge", help) + lines.join("");
    })
    .join("");
}

function meanWaitS(ofAgent: readonly RequestRecord[]): number {
  const waits = ofAgent.flatMap(({ admittedAtMs, arrivedAtMs }) =>
    admittedAtMs === null ? [] : [admittedAtMs - arrivedAtMs],
  );
  return waits.length === 0 ? 0 : waits.reduce((sum, wait) => sum + wait, 0) / waits.length / 1000;
}

function cachedShare(ofAgent: readonly RequestRecord[]): number {
  const admitted = ofAgent.filter(({ admittedAtMs }) => admittedAtMs !== null);
  const all = admitted.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  return all === 0 ? 0 : admitted.reduce((sum, each) => sum + each.reusedTokens + each.forkedTokens, 0) / all;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
