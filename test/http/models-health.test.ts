/** What a client can ask before it sends anything: is anybody there, which model, is it well. */
import { describe, expect, it } from "vitest";
import { hello, post, startServer } from "./start-server";

describe("the root", () => {
  it("answers GET and HEAD", async () => {
    const { origin } = await startServer();
    const response = await fetch(`${origin}/`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("TOPAS Desktop is running. Its OpenAI-compatible API is at /v1.\n");
    expect((await fetch(`${origin}/`, { method: "HEAD" })).status).toBe(200);
  });
});

describe("health", () => {
  it.each([
    ["ready", 200, "ok", null],
    ["loading", 503, "loading model", "5"],
    ["restarting", 503, "restarting", "5"],
    ["stalled", 503, "stalled", "10"],
    ["no_model", 503, "no model", "30"],
    ["failed", 503, "failed", "30"],
  ] as const)("of a server that is %s is %i %s", async (health, status, words, retryAfter) => {
    const { live, origin, url } = await startServer();
    live.health = health;
    if (health === "no_model" || health === "loading") live.engine = null;
    for (const at of [`${origin}/health`, `${url}/health`]) {
      const response = await fetch(at);
      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe(retryAfter);
      expect(await response.json()).toMatchObject({ status: words, model: live.engine?.modelId ?? null });
    }
  });

  it("answers while requests wait and prompts are read, and counts them", async () => {
    const { live, origin, client } = await startServer();
    const running = client.chat.completions.create(hello);
    (await live.submitted(1)).admit();
    const waiting = client.chat.completions.create(hello);
    await live.submitted(2);
    live.beforeEncode = () => new Promise(() => {});
    const reading = client.chat.completions.create(hello);
    const left = [running, waiting, reading].map((answer) => answer.catch((error: Error) => error.message));
    await live.when(() => live.encoded.length === 3);
    const health = await (await fetch(`${origin}/health`)).json();
    expect(health).toMatchObject({
      status: "ok",
      requests_running: 1,
      requests_waiting: 1,
      slots: 2,
      noise_model: false,
    });
    for (const request of live.requests) request.cancel("The test is over.");
    expect(await Promise.all(left.slice(0, 2))).toEqual([
      expect.stringContaining("The test is over."),
      expect.stringContaining("The test is over."),
    ]);
  });
});

describe("models", () => {
  it("are listed with what clients size their prompts by", async () => {
    const { client } = await startServer({ engine: { noiseModel: true } });
    const { data } = await client.models.list();
    expect(data).toEqual([
      {
        ...{
          id: "Org/Tiny-Model:Q4_1",
          object: "model",
          created: expect.any(Number),
          max_model_len: 64,
          context_length: 64,
        },
        owned_by: expect.stringContaining("noise model"),
        meta: expect.objectContaining({
          noise_model: true,
          slots: 2,
          n_ctx: 64,
          n_ctx_train: 2048,
          n_params: 135_000_000,
        }),
      },
    ]);
  });

  it.each(["Org/Tiny-Model:Q4_1", "org/tiny-model:q4_1.gguf", "default"])(
    "can be asked for as %s, encoded or not",
    async (id) => {
      const { client, url } = await startServer();
      expect((await client.models.retrieve(id)).id).toBe("Org/Tiny-Model:Q4_1");
      expect((await fetch(`${url}/models/${id}`)).status).toBe(200);
    },
  );

  it("that are unknown are a 404 model_not_found", async () => {
    const { client } = await startServer();
    await expect(client.models.retrieve("a/b:c")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
      param: "model",
    });
  });

  it("are none before the first is loaded", async () => {
    const { live, client } = await startServer();
    live.engine = null;
    live.health = "no_model";
    expect((await client.models.list()).data).toEqual([]);
    await expect(client.models.retrieve("x")).rejects.toMatchObject({ status: 404 });
  });
});

describe("x-request-id", () => {
  it("is the client's where it is sane, else a new one", async () => {
    const { origin } = await startServer();
    const idFor = async (headers: Record<string, string>) =>
      (await fetch(`${origin}/`, { headers })).headers.get("x-request-id");
    expect(await idFor({ "x-request-id": "mine_1" })).toBe("mine_1");
    expect(await idFor({})).toMatch(/^req_[\da-f]{32}$/);
    expect(await idFor({ "x-request-id": "two words" })).toMatch(/^req_/);
    expect(await idFor({ "x-request-id": "x".repeat(129) })).toMatch(/^req_/);
    expect(await idFor({ "x-request-id": "x".repeat(128) })).toBe("x".repeat(128));
  });

  it("is on errors too", async () => {
    const { url } = await startServer();
    const response = await post(`${url}/chat/completions`, "{", { "x-request-id": "bad-1" });
    expect(response.headers.get("x-request-id")).toBe("bad-1");
  });

  it("is a new one where the client's was used before, open or ended", async () => {
    const { live, url } = await startServer();
    const first = post(`${url}/chat/completions`, { ...hello, stream: true }, { "x-request-id": "same" });
    const one = await live.submitted(1);
    const second = post(`${url}/chat/completions`, { ...hello, stream: true }, { "x-request-id": "same" });
    const two = await live.submitted(2);
    one.admit();
    one.finish();
    two.admit();
    two.finish();
    const third = post(`${url}/chat/completions`, { ...hello, stream: true }, { "x-request-id": "same" });
    const three = await live.submitted(3);
    three.finish();
    const ids = (await Promise.all([first, second, third])).map(({ headers }) => headers.get("x-request-id"));
    expect(ids).toEqual([one, two, three].map(({ spec }) => spec.requestId));
    expect(ids[0]).toBe("same");
    expect(new Set(ids).size).toBe(3);
  });

  it("is a new one also while two with the same id are still being read", async () => {
    const { live, url } = await startServer({ answers: ["a"] });
    let goOn: () => void = () => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    live.beforeEncode = () => gate;
    const both = [1, 2].map(() =>
      post(`${url}/chat/completions`, { ...hello, stream: true }, { "x-request-id": "same" }),
    );
    await live.when(() => live.encoded.length === 2);
    goOn();
    await Promise.all(both);
    expect(new Set(live.requests.map(({ spec }) => spec.requestId)).size).toBe(2);
  });
});
