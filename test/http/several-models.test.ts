/** Requests that name another model than the loaded one, over the real scheduler with a scripted engine. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpServer } from "../../electron/http/server";
import { createLive } from "../../electron/live/create-live";
import type { KnownModel } from "../../electron/live/models/known-model";
import { ModelHouse, type ModelHouseLimits } from "../../electron/live/models/model-house";
import { ModelList } from "../../electron/live/models/model-list";
import { scriptedStarter } from "../support/scripted-starter";
import { RawClient } from "./raw-client";
import { turn, until } from "./scripted-server";
import { errorOf, post } from "./start-server";

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const messages = [{ role: "user" as const, content: "hello there" }];
const ask = (model: string) => ({ model, messages, max_tokens: 3, temperature: 0 });

function known(modelId: string): KnownModel {
  return { modelId, modelPath: `${modelId}.gguf`, noiseModel: false, fileBytes: 7 };
}

/** `small` is loaded, `large` and `damaged` are on disk. */
async function serve(limits: Partial<ModelHouseLimits> = {}, wait: () => Promise<void> = async () => {}) {
  const { start, engines } = scriptedStarter({ wait });
  const live = createLive({ startEngine: start, policy: "topas" });
  const loads: string[] = [];
  const folder = [known("small"), known("large"), known("damaged")];
  const house = new ModelHouse(
    {
      timers: live.timers,
      async load({ modelId, modelPath, noiseModel }) {
        loads.push(modelId);
        if (modelId === "damaged") throw new Error("The file is cut off.");
        const model = { modelId, modelPath, noiseModel, slots: 2, slotTokens: 256 };
        return (await live.load({ ...model, gpu: "cpu", gpuLayers: "auto", threads: 1 })).description;
      },
      unload: () => live.unload(),
    },
    { patienceMs: 30_000, lingerMs: 0, idleMs: null, waitingMax: 2, ...limits },
  );
  const models = { house, list: new ModelList(async () => folder, live.timers) };
  const server = await createHttpServer({ live, models, host: "127.0.0.1", port: 0, log });
  onTestFinished(async () => {
    await server.close();
    await live.shutdown();
  });
  await house.choose(known("small"));
  const origin = server.url.replace(/\/v1$/, "");
  const client = new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: origin, apiKey: "none", maxRetries: 0 });
  return { live, house, folder, server, url: server.url, origin, client, anthropic, loads, engines };
}

describe("several models", () => {
  it("are listed, the loaded one first, for both kinds of clients", async () => {
    const { client, anthropic, url } = await serve();
    const { data } = await client.models.list();
    expect(data).toMatchObject([
      { id: "small", max_model_len: 256, status: { value: "loaded", requests_waiting: 0 } },
      { id: "large", meta: { size: 7 }, status: { value: "unloaded" } },
      { id: "damaged" },
    ]);
    expect((await client.models.retrieve("LARGE.gguf")).id).toBe("large");
    expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(["small", "large", "damaged"]);
    const unknown = await fetch(`${url}/models/none`);
    expect(unknown.status).toBe(404);
    expect((await errorOf(unknown)).message).toBe(
      "The model 'none' does not exist here. Loaded is 'small'; use that name or 'default'. Others here: 'large', 'damaged'.",
    );
  });

  it("are loaded when a request names them, by every API, and `default` is the one that is there", async () => {
    const { client, anthropic, loads, url } = await serve();
    expect((await client.chat.completions.create(ask("large"))).choices[0]?.message.content).not.toBe("");
    expect((await client.chat.completions.create(ask("default"))).model).toBe("default");
    expect(loads).toEqual(["small", "large"]);
    expect((await client.responses.create({ model: "small", input: "hi", max_output_tokens: 3 })).status).toBe(
      "incomplete",
    );
    expect((await anthropic.messages.create({ ...ask("large@planner"), max_tokens: 3 })).role).toBe("assistant");
    expect((await anthropic.messages.countTokens({ model: "small", messages })).input_tokens).toBeGreaterThan(1);
    const background = await client.responses.create({ model: "large", input: "hi", background: true });
    await expect
      .poll(async () => (await client.responses.retrieve(background.id)).status)
      .toMatch(/completed|incomplete/);
    expect(loads).toEqual(["small", "large", "small", "large", "small", "large"]);
    expect((await post(`${url}/chat/completions`, ask("gpt-4o"))).status).toBe(404);
  });

  it("that come into the folder later are found", async () => {
    const { client, folder, loads } = await serve();
    folder.push(known("new"));
    await client.chat.completions.create(ask("new"));
    expect(loads).toEqual(["small", "new"]);
  });

  it("are exchanged only when the running requests have ended", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const served = await serve({}, () => gate.then(turn));
    const running = served.client.chat.completions.create(ask("small"));
    await until(() => Object.keys(served.live.view.requests).length === 1);
    const other = served.client.chat.completions.create(ask("large"));
    await until(() => served.house.waitingFor(known("large")) === 1);
    const listed = (await served.client.models.list()).data.find(({ id }) => id === "large");
    expect(listed).toMatchObject({ status: { value: "unloaded", requests_waiting: 1 } });
    expect(served.loads).toEqual(["small"]);
    open();
    expect((await running).usage?.completion_tokens).toBe(3);
    expect((await other).usage?.completion_tokens).toBe(3);
    expect(served.loads).toEqual(["small", "large"]);
  });

  it("that cannot be loaded are told to their clients in their shape, and the other one goes on", async () => {
    const { client, url, origin } = await serve();
    const refused = await post(`${url}/chat/completions`, ask("damaged"));
    expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([500, "false"]);
    expect(await errorOf(refused)).toMatchObject({
      code: "model_not_loadable",
      param: "model",
      message: "The model 'damaged' cannot be loaded. The file is cut off.",
    });
    const anthropic = await post(`${origin}/v1/messages`, { ...ask("damaged"), stream: true });
    expect(anthropic.status).toBe(500);
    expect(await anthropic.json()).toMatchObject({ type: "error", error: { type: "api_error" } });
    expect((await client.chat.completions.create(ask("default"))).usage?.completion_tokens).toBe(3);
  });

  it("have a bound on who waits, and who hangs up waits no more", async () => {
    const served = await serve({}, () => new Promise(() => {}));
    void served.client.chat.completions.create(ask("small")).catch(() => {});
    await until(() => Object.keys(served.live.view.requests).length === 1);
    const path = "/v1/chat/completions";
    const waiting = [
      await RawClient.post(served.server.port, path, ask("large")),
      await RawClient.post(served.server.port, path, { ...ask("large"), stream: true }),
    ];
    await until(() => served.house.waitingFor(known("large")) === 2);
    const refused = await post(`${served.url}/chat/completions`, ask("large"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    for (const client of waiting) client.hangUp();
    await until(() => served.house.waitingFor(known("large")) === 0);
    expect(served.loads).toEqual(["small"]);
  });

  it("tell those who wait when the server closes", async () => {
    const served = await serve({}, () => new Promise(() => {}));
    void served.client.chat.completions.create(ask("small")).catch(() => {});
    await until(() => Object.keys(served.live.view.requests).length === 1);
    const waiting = await RawClient.post(served.server.port, "/v1/chat/completions", ask("large"));
    await until(() => served.house.waitingFor(known("large")) === 1);
    await served.server.close();
    expect(await waiting.whenClosed()).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"shutting_down"/);
  });

  it("are put away when nobody uses them; the next request loads again", async () => {
    const { client, origin, house, loads, engines } = await serve({ idleMs: 20 });
    await until(() => house.isAsleep);
    const health = await fetch(`${origin}/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { status: "unloaded", model: null, slots: 0 }]);
    expect((await client.models.list()).data[0]).toMatchObject({ id: "small", status: { value: "unloaded" } });
    expect((await client.chat.completions.create(ask("default"))).usage?.completion_tokens).toBe(3);
    expect(loads).toEqual(["small", "small"]);
    expect(engines).toHaveLength(2);
  });
});
