/**
 * The endpoint over the real scheduler in a process of its own, with an engine that costs nothing: each token's text is the
 * moment at which the engine gave it, so that its reader knows how long the way to it took. Obeys its parent's messages.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type BatchResult, PromptTooLong, type StartEngine } from "../../../core/contract/engine";
import { createHttpServer } from "../../../electron/http/server";
import { createLive } from "../../../electron/live/create-live";
import { isFarTooLong, lettersOf } from "../../../native-models/engine/prompt-length";
import { ScriptedEngine } from "../../support/scripted-engine";

export type Order =
  /** Duration of a step; null: no step ends until another order comes. */
  { readonly kind: "step"; readonly ms: number | null } | { readonly kind: "measure" };

export type Report =
  | { readonly kind: "ready"; readonly url: string }
  | { readonly kind: "done" }
  /** Since the last one. */
  | { readonly kind: "measured"; readonly cpuMs: number; readonly longestBlockMs: number };

const slots = 8;
const slotTokens = 4096;
const quiet = () => {};
const log = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: (fields: object, text: string) => console.error(text, fields),
};

let stepMs: number | null = 5;
let goOn = () => {};

async function wait(): Promise<void> {
  while (stepMs === null) await new Promise<void>((resolve) => (goOn = resolve));
  const ms = stepMs;
  await new Promise<void>((resolve) => (ms === 0 ? setImmediate(resolve) : setTimeout(resolve, ms)));
}

function stamped(result: BatchResult): BatchResult {
  const text = ` ${(performance.timeOrigin + performance.now()).toFixed(3)}`;
  return { ...result, answers: result.answers.map((answer) => ({ ...answer, text })) };
}

const startEngine: StartEngine = async (_options, observer) => {
  const engine = new ScriptedEngine({ slots, slotTokens, wait }, observer);
  const run = engine.run.bind(engine);
  engine.run = async (batch, onStep) => stamped(await run(batch, (result) => onStep?.(stamped(result))));
  const encode = engine.encode.bind(engine);
  engine.encode = async (source) => {
    const { characters } = lettersOf(source);
    if (isFarTooLong(characters, slotTokens)) throw new PromptTooLong(characters / 5, slotTokens);
    return encode(source);
  };
  return engine;
};

const live = createLive({ startEngine, policy: "topas" });
const server = await createHttpServer({ live, host: "127.0.0.1", port: 0, log });
await live.load({
  ...{ modelPath: "none.gguf", modelId: "none", noiseModel: true, slots, slotTokens },
  ...{ gpu: "cpu", gpuLayers: "auto", threads: 1 },
});

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
let cpu = process.cpuUsage();

function report(message: Report): void {
  process.send?.(message);
}

process.on("message", (order: Order) => {
  if (order.kind === "step") {
    stepMs = order.ms;
    goOn();
    return report({ kind: "done" });
  }
  const used = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  report({ kind: "measured", cpuMs: (used.user + used.system) / 1000, longestBlockMs: delays.max / 1e6 });
  delays.reset();
});
process.on("disconnect", () => process.exit(0));
report({ kind: "ready", url: server.url });
