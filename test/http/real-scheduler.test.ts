/** The endpoint over the real scheduler and driver; only the engine is scripted. */
import { describe, expect, it } from "vitest";
import { RawClient } from "./raw-client";
import { ask, gated, type Served, serveScripted, until } from "./scripted-server";
import { errorOf, post } from "./start-server";

async function explain({ url }: Served, id: string | null) {
  return (await (await fetch(`${url}/requests/${id}/explain`)).json()) as Record<string, unknown>;
}

describe("the endpoint over the real scheduler", () => {
  it("says truthfully what came from the cache, streamed or not", async () => {
    const served = await serveScripted();
    const first = await served.client.chat.completions.create(ask("one", 20));
    expect(first.usage).toMatchObject({
      prompt_tokens: 82,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 0 },
    });
    const again = await served.client.chat.completions.create(ask("one", 20)).withResponse();
    expect(again.data.usage?.prompt_tokens_details?.cached_tokens).toBe(81);
    expect(again.data.choices[0]?.message.content).toBe(first.choices[0]?.message.content);
    const stream = await served.client.chat.completions.create({
      ...ask("one", 20),
      stream: true,
      stream_options: { include_usage: true },
    });
    let cached: number | undefined;
    for await (const chunk of stream) cached = chunk.usage?.prompt_tokens_details?.cached_tokens ?? cached;
    expect(cached).toBe(81);
    const { prompt, summary } = await explain(served, again.response.headers.get("x-request-id"));
    expect(prompt).toMatchObject({ tokens: 82, reused_in_place: 81, forked: 0, computed: 1 });
    expect(summary).toContain("Of 82 prompt tokens 81 were reused in place and 1 were computed");
  });

  it("caps max_tokens to the room in the slot and says length", async () => {
    const { client } = await serveScripted({ slotTokens: 100 });
    const answer = await client.chat.completions.create(ask("one", 20, 100_000));
    expect(answer.choices[0]?.finish_reason).toBe("length");
    expect(answer.usage).toMatchObject({ prompt_tokens: 82, completion_tokens: 18 });
  });

  it.each([false, true])(
    "refuses a prompt that is too long with a plain 400 and both numbers (stream: %s)",
    async (stream) => {
      const { url } = await serveScripted({ slotTokens: 100 });
      const response = await post(`${url}/chat/completions`, { ...ask("one", 200), stream });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toEqual({
        message:
          "This model's maximum context length is 100 tokens. However, your messages resulted in 262 tokens. Please reduce the length of the messages.",
        ...{
          type: "invalid_request_error",
          param: "messages",
          code: "context_length_exceeded",
          n_prompt_tokens: 262,
          n_ctx: 100,
        },
      });
    },
  );

  it("never sends a stop text, and says stop", async () => {
    const script = { script: (_id: string, generated: number) => 10 + generated };
    const { client } = await serveScripted({ script });
    const answer = await client.chat.completions.create({ ...ask("one", 5, 20), stop: "w12 w13" });
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: " w10 w11 " } });
  });

  it("queues with a bound, refuses beyond it with 429, and shows the queue with reasons", async () => {
    const { script, open } = gated();
    const served = await serveScripted({ slots: 1, config: { waitingMax: 2 }, script });
    const answers = [];
    for (const name of ["a", "b", "c"]) {
      const headers = { "x-request-id": name, "x-agent": name };
      answers.push(await post(`${served.url}/chat/completions`, { ...ask(name, 5), stream: true }, headers));
    }
    const refused = await post(
      `${served.url}/chat/completions`,
      { ...ask("d", 5), stream: true },
      { "x-request-id": "d" },
    );
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await explain(served, "d")).toEqual({
      ...{ object: "request.explanation", request_id: "d", outcome: "refused", code: "queue_full" },
      summary: expect.stringMatching(/^It was refused: 2 requests are waiting/),
      message: (await errorOf(refused)).message,
    });
    const queue = (await (await fetch(`${served.url}/queue`)).json()) as {
      data: { request_id: string; reason: object }[];
    };
    expect(queue.data.map((row) => row.request_id).sort()).toEqual(["b", "c"]);
    expect(queue.data[0]?.reason).toMatchObject({ code: "NO_FREE_SLOT", sentence: expect.stringMatching(/\.$/) });
    open();
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.filter((text) => text.endsWith("data: [DONE]\n\n"))).toHaveLength(3);
    const order = await Promise.all(queue.data.map(async ({ request_id }) => explain(served, request_id)));
    expect(order.map(({ outcome }) => outcome)).toEqual(["finished", "finished"]);
    expect(order.map(({ waits }) => (waits as object[]).length > 0)).toEqual([true, true]);
  });

  it("frees the slot of a client that hangs up, and the next one goes on", async () => {
    const { script, open } = gated();
    const served = await serveScripted({ slots: 1, script });
    const leaving = await RawClient.post(
      served.server.port,
      "/v1/chat/completions",
      { ...ask("a", 5, 200), stream: true },
      ["x-request-id: a"],
    );
    await leaving.when((text) => text.includes(": prefill"));
    const next = post(`${served.url}/chat/completions`, ask("b", 5), { "x-request-id": "b" });
    await until(() => served.live.view.requests.b !== undefined);
    leaving.hangUp();
    await until(() => served.live.view.requests.a === undefined);
    open();
    expect((await next).status).toBe(200);
    expect(await explain(served, "a")).toMatchObject({
      outcome: "cancelled",
      ending: "The client closed the connection.",
    });
    expect(served.engines[0]?.openRequests).toEqual([]);
  });

  it("goes on without a gap or a repeat when the engine is lost under a stream", async () => {
    const whole = await serveScripted();
    const undisturbed = await whole.client.chat.completions.create(ask("one", 20, 30));
    const served = await serveScripted({ script: (start) => (start === 0 ? { diesAtStep: 8 } : {}) });
    let text = "";
    for await (const chunk of await served.client.chat.completions.create({ ...ask("one", 20, 30), stream: true })) {
      text += chunk.choices[0]?.delta.content ?? "";
    }
    expect(served.engines).toHaveLength(2);
    expect(text).toBe(undisturbed.choices[0]?.message.content);
  });

  it("explains a refused prompt, and the same id once it was taken", async () => {
    const served = await serveScripted();
    const send = (count: number) =>
      post(`${served.url}/chat/completions`, ask("one", count), { "x-request-id": "mine" });
    expect((await send(300)).status).toBe(400);
    expect(await explain(served, "mine")).toMatchObject({
      outcome: "refused",
      code: "context_length_exceeded",
      message: expect.stringMatching(/256/),
    });
    const retried = await send(5);
    expect(retried.headers.get("x-request-id")).toBe("mine");
    expect(await explain(served, "mine")).toMatchObject({ outcome: "finished" });
  });

  it("gives a prompt that the template refuses a 400 on messages", async () => {
    const served = await serveScripted({ script: { refuses: () => "Roles must alternate." } });
    const response = await post(`${served.url}/chat/completions`, ask("one", 5), { "x-request-id": "mine" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: "prompt_refused",
      param: "messages",
      message: expect.stringContaining("Roles must alternate."),
    });
    expect(await explain(served, "mine")).toMatchObject({ outcome: "refused", code: "prompt_refused" });
  });

  it("runs a declared workflow's requests as one task of their stages' agents", async () => {
    const served = await serveScripted();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({
      stages: [
        { id: "plan", agent: "planner" },
        { id: "write", agent: "writer", after: ["plan"] },
      ],
    });
    expect((await fetch(`${served.url}/workflows/crew`, { method: "PUT", body, headers })).status).toBe(200);
    for (const stage of ["plan", "write"]) {
      const named = { "X-Workflow-Run": "9", "X-Workflow-Stage": stage, "x-request-id": stage };
      await served.client.chat.completions.create(ask(stage, 5), { headers: named });
    }
    expect(await explain(served, "plan")).toMatchObject({ agent: "planner", task_id: "crew/9", stage_id: "plan" });
    expect(await explain(served, "write")).toMatchObject({ agent: "writer", task_id: "crew/9", workflow_id: "crew" });
    expect(served.live.view.tasks).toMatchObject([
      { taskId: "crew/9", stages: [{ phase: "done" }, { phase: "done" }] },
    ]);
  });

  it("ends every request in exactly one way: a hundred clients with random cuts, sizes and mistakes", async () => {
    const served = await serveScripted({ slots: 3, config: { waitingMax: 20 } });
    const seen = { ended: 0 };
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const tag = `t${index % 7}`;
        const asked = { ...ask(tag, 5 + ((index * 37) % 260), 1 + (index % 12)), stream: index % 2 === 0 };
        const wrong = index % 11 === 0 ? { ...asked, temperature: "hot" } : asked;
        if (index % 3 > 0) {
          const response = await post(`${served.url}/chat/completions`, wrong);
          await response.text();
        } else {
          const client = await RawClient.post(served.server.port, "/v1/chat/completions", wrong);
          if (index % 2 === 0) await client.when((text) => text.includes("HTTP/1.1"));
          client.hangUp();
        }
        seen.ended += 1;
      }),
    );
    expect(seen.ended).toBe(100);
    const last = await post(`${served.url}/chat/completions`, ask("last", 5));
    expect(last.status).toBe(200);
    await until(() => Object.keys(served.live.view.requests).length === 0);
    expect(served.engines[0]?.openRequests).toEqual([]);
    const { finishedRequests, cancelledRequests, failedRequests } = served.live.view.totals;
    expect(finishedRequests).toBeGreaterThan(0);
    expect(failedRequests).toBe(0);
    expect(cancelledRequests + finishedRequests).toBeLessThanOrEqual(101);
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
  });
});
