/**
 * Ours and llama.cpp's own server, end to end over HTTP, in turns within one run: decode steps, prefill, and what a warm
 * or forked prefix saves. Prints JSON; `--json FILE` writes it too, `--threads N` and `--rounds N` as named.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { findModel } from "../../native-models/catalogue/find-model";
import { modelFolders } from "../../native-models/catalogue/model-folders";
import { ensureLlamaServer } from "./llama-server";
import { freePort, type Served, serve } from "./served";
import { median, type StreamTimes, stepMs, streamChat } from "./stream-times";

const projectFolder = resolve(import.meta.dirname, "..", "..");
const slots = 8;
const slotTokens = 2048;
const batchTokens = 512;
const answerTokens = 80;
const sequenceCounts = [1, 4, 8];

const { json, threads, rounds } = new Command()
  .option("--json <file>")
  .option("--threads <n>", "threads of both servers, prefill and decode", "1")
  .option("--rounds <n>", "turns of each measurement", "7")
  .parse()
  .opts<{ json?: string; threads: string; rounds: string }>();

const model = await findModel({ named: null, folders: modelFolders({ projectFolder }), onStatus: () => undefined });
const servers: Served[] = [];
try {
  servers.push(await startOurs());
  servers.push(await startLlamaServer());
  const decode = [];
  for (const sequences of sequenceCounts) decode.push(await measureDecode(sequences));
  const figures = {
    model: model.modelId,
    threads: Number(threads),
    decode,
    prefill: await measurePrefill(),
    ttft: await measureTtft(),
  };
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(JSON.stringify(figures, null, 2));
} finally {
  for (const server of servers) server.stop();
}
process.exit(0);

async function startOurs(): Promise<Served> {
  const port = await freePort();
  const program = join(projectFolder, "out", "main", "headless.js");
  const options = ["--slots", slots, "--context", slotTokens, "--threads", threads, "--policy", "fcfs", "--gpu", "cpu"];
  return serve(
    "ours",
    process.execPath,
    [program, "--model", model.modelPath, "--port", port, ...options].map(String),
    port,
  );
}

async function startLlamaServer(): Promise<Served> {
  const port = await freePort();
  const size = [
    "-c",
    slots * slotTokens,
    "-np",
    slots,
    "-b",
    batchTokens,
    "-ub",
    batchTokens,
    "-t",
    threads,
    "-tb",
    threads,
  ];
  const options = ["-m", model.modelPath, "--port", port, ...size, "--no-webui", "-ngl", 0];
  return serve("llama-server", ensureLlamaServer(), options.map(String), port);
}

/**
 * Both servers take each measurement in turns, so that a disturbed minute disturbs both. `ratio` is the median of what
 * each round gives, ours over theirs.
 */
async function inTurns(measure: (server: Served, round: number) => Promise<number>) {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < Number(rounds); round += 1) {
    const inThisOrder = round % 2 === 0 ? servers : [...servers].reverse();
    for (const server of inThisOrder) (server.name === "ours" ? ours : theirs).push(await measure(server, round));
  }
  const ratios = ours.map((mine, round) => mine / (theirs[round] ?? Number.NaN));
  return { ours: median(ours), theirs: median(theirs), ratio: median(ratios) };
}

async function measureDecode(sequences: number) {
  const { ours, theirs, ratio } = await inTurns(async ({ baseUrl }, round) => {
    const streams = Array.from({ length: sequences }, (_, index) =>
      streamChat({
        baseUrl,
        system: "You tell long stories.",
        user: `Tell me story ${round}-${index}.`,
        maxTokens: answerTokens,
      }),
    );
    return stepMs(await Promise.all(streams));
  });
  return { sequences, oursMs: ours, llamaServerMs: theirs, ratio };
}

async function measurePrefill() {
  const { ours, theirs, ratio } = await inTurns(async ({ baseUrl }, round) => {
    const times = await coldPrompt(baseUrl, `prefill ${round}`);
    return (1000 * (times.promptTokens - times.cachedTokens)) / times.ttftMs;
  });
  return { oursTokensPerS: ours, llamaServerTokensPerS: theirs, ratio: 1 / ratio };
}

/** About 1,000 tokens that no slot has seen: the tag stands at the very beginning. */
function longText(tag: string): string {
  return Array.from({ length: 68 }, (_, line) => `${tag} ${line}: the crew reads this line.`)
    .join("\n")
    .slice(0, 3600);
}

function coldPrompt(baseUrl: string, tag: string): Promise<StreamTimes> {
  return streamChat({ baseUrl, system: longText(tag), user: "Go on.", maxTokens: 2 });
}

/** A prompt of about 1,000 tokens on our server: never seen, in its own slot, and copied from a slot that runs. */
async function measureTtft() {
  const { baseUrl } = servers[0] as Served;
  const cold: number[] = [];
  const warm: number[] = [];
  const forked: number[] = [];
  let promptTokens = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    const system = longText(`ttft ${round}`);
    const first = await streamChat({ baseUrl, system, user: "Go on.", maxTokens: 2 });
    promptTokens = first.promptTokens;
    cold.push(first.ttftMs);
    warm.push((await streamChat({ baseUrl, system, user: "Go on.", maxTokens: 2 })).ttftMs);
    forked.push(await forkedTtft(baseUrl, system));
  }
  const [coldMs, warmMs, forkedMs] = [median(cold), median(warm), median(forked)];
  return { promptTokens, coldMs, warmMs, forkedMs, warmShare: warmMs / coldMs, forkedShare: forkedMs / coldMs };
}

/** The first request takes the warm slot and keeps it; the second finds its prefix only there. */
async function forkedTtft(baseUrl: string, system: string): Promise<number> {
  const runs = new AbortController();
  let isDrawing = () => {};
  const drawing = new Promise<void>((resolve) => {
    isDrawing = resolve;
  });
  const first = streamChat({
    baseUrl,
    system,
    user: "Go on.",
    maxTokens: 400,
    signal: runs.signal,
    onToken: isDrawing,
  });
  await Promise.race([drawing, first]);
  const second = await streamChat({ baseUrl, system, user: "Go on.", maxTokens: 2 });
  runs.abort();
  await first.catch(() => undefined);
  return second.ttftMs;
}
