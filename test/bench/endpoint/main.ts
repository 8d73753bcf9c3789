/**
 * `npm run bench:endpoint`: what the endpoint adds to the engine. Prints JSON; `--json FILE` writes it too. Clients and server are
 * two processes; the engine costs nothing and writes into each token when it gave it.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { Command } from "commander";
import { EndpointProcess } from "./endpoint-process";
import { largeBodies } from "./large-bodies";
import { clockMs, readStream, type StampedToken } from "./stamped-stream";

const { json } = new Command()
  .option("--json <file>", "write the figures to this file")
  .parse()
  .opts<{ json?: string }>();

const streams = 8;
const warmCalls = 200;
const queued = 200;
const queuedForMs = 20_000;
const prompt = Array.from({ length: 500 }, (_, index) => `word${index}`).join(" ");

/** From the engine's token to its client, eight streams at once, a token each 10 ms. */
async function perToken(server: EndpointProcess) {
  await server.step(10);
  const call = (index: number) => readStream({ url: server.url, content: `${index} ${prompt}`, maxTokens: 300 });
  const tokens = (await Promise.all(Array.from({ length: streams }, (_, index) => call(index)))).flat();
  return distribution(tokens.map(({ givenAtMs, readAtMs }) => readAtMs - givenAtMs));
}

/** From the call to the first token of a prompt that is in the cache, with an engine that computes for 0 ms. */
async function warmFirstToken(server: EndpointProcess) {
  await server.step(0);
  const times: number[] = [];
  for (let call = 0; call < warmCalls; call += 1) {
    const startedAtMs = clockMs();
    const [first] = await readStream({ url: server.url, content: prompt, maxTokens: 2 });
    if (first !== undefined && call >= 20) times.push(first.readAtMs - startedAtMs);
  }
  return distribution(times);
}

/** CPU time of the server while 200 streams wait in its queue and are kept alive. */
async function queuedStreams(server: EndpointProcess) {
  await server.step(null);
  const hangUp = new AbortController();
  let accepted = 0;
  const calls = Array.from({ length: streams + queued }, (_, index) =>
    readStream({
      ...{ url: server.url, content: `${index} ${prompt}`, maxTokens: 1, signal: hangUp.signal },
      onAccepted() {
        accepted += 1;
      },
    }).catch(() => {}),
  );
  while (accepted < streams + queued) await pause(50);
  await pause(2_000);
  await server.measure();
  await pause(queuedForMs);
  const { cpuMs } = await server.measure();
  hangUp.abort();
  await server.step(0);
  await Promise.all(calls);
  return { streams: queued, overMs: queuedForMs, cpuMs: round(cpuMs), shareOfOneCore: round(cpuMs / queuedForMs, 5) };
}

/** A stream that gets a token each 5 ms while a body of 64 MiB arrives: how long it hears nothing. */
async function besideLargeBody(server: EndpointProcess, body: Buffer) {
  await server.step(5);
  const hangUp = new AbortController();
  const given: number[] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const stream = readStream({
    ...{ url: server.url, content: prompt, maxTokens: 3_000, signal: hangUp.signal },
    onToken({ givenAtMs }: StampedToken) {
      given.push(givenAtMs);
      if (given.length === 20) begin();
    },
  }).catch(() => {});
  await begun;
  await server.measure();
  const startedAtMs = clockMs();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/chat/completions`, { method: "POST", headers, body: new Uint8Array(body) });
  await answer.text();
  const tookMs = clockMs() - startedAtMs;
  await pause(100);
  const { longestBlockMs } = await server.measure();
  hangUp.abort();
  await stream;
  const gaps = given.map((at, index) => at - (given[index - 1] ?? at));
  const fields = { status: answer.status, tookMs: round(tookMs), longestBlockMs: round(longestBlockMs) };
  return { mib: round(body.length / 1024 ** 2, 1), ...fields, longestSilenceMs: round(Math.max(...gaps)) };
}

function distribution(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (quantile: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0);
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length;
  return { count: sorted.length, meanMs: round(mean), p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const server = await EndpointProcess.start();
try {
  await perToken(server); // once, so that everything is compiled
  const figures = {
    machine: { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, node: process.version },
    addedPerToken: { streams, ...(await perToken(server)) },
    firstTokenWarm: await warmFirstToken(server),
    queued: await queuedStreams(server),
    largeBodies: {} as Record<string, object>,
  };
  for (const [name, make] of Object.entries(largeBodies)) {
    figures.largeBodies[name] = await besideLargeBody(server, make());
  }
  const text = JSON.stringify(figures, null, 2);
  console.log(text);
  if (json !== undefined) writeFileSync(json, `${text}\n`);
} finally {
  server.stop();
}
