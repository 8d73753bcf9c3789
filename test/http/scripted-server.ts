/** The endpoint over the real scheduler and driver with a scripted engine, for tests of what the two do together. */
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import { createHttpServer, type HttpServerOptions } from "../../electron/http/server";
import { createLive } from "../../electron/live/create-live";
import type { ScriptedOptions } from "../support/scripted-options";
import { scriptedStarter } from "../support/scripted-starter";

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export interface Serving {
  readonly slots?: number;
  readonly slotTokens?: number;
  readonly config?: Partial<SchedulerConfig>;
  readonly http?: Partial<HttpServerOptions>;
  readonly script?: ScriptedOptions | ((start: number) => ScriptedOptions);
}

export async function serveScripted({
  slots = 2,
  slotTokens = 256,
  config = {},
  http = {},
  script = {},
}: Serving = {}) {
  const { start, engines } = scriptedStarter(script);
  const live = createLive({ startEngine: start, policy: "topas", config: { ...defaultConfig, ...config } });
  const server = await createHttpServer({ live, host: "127.0.0.1", port: 0, log, ...http });
  onTestFinished(async () => {
    await server.close();
    await live.shutdown();
  });
  await live.load({
    ...{ modelPath: "scripted.gguf", modelId: "scripted", noiseModel: false, slots, slotTokens },
    ...{ gpu: "cpu", gpuLayers: "auto", threads: 1 },
  });
  const client = new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
  return { live, server, url: server.url, client, engines };
}

export type Served = Awaited<ReturnType<typeof serveScripted>>;

export function words(tag: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${tag}${index}`).join(" ");
}

export function ask(tag: string, count: number, maxTokens = 4) {
  const messages = [
    { role: "system" as const, content: words("shared", 60) },
    { role: "user" as const, content: words(tag, count) },
  ];
  return { model: "scripted", messages, max_tokens: maxTokens, temperature: 0 };
}

/** An engine whose batches wait until the test lets them through. */
export function gated() {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { script: { wait: () => gate.then(turn) }, open: () => open() };
}

/** One turn of the event loop, in which sockets are read too. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export async function until(is: () => boolean): Promise<void> {
  while (!is()) await turn();
}
