/** Declaring workflows over HTTP, and requests that name them. */
import { describe, expect, it } from "vitest";
import { errorOf, hello, type StartedServer, startServer } from "./start-server";

const company = {
  workflow: "software-company",
  stages: [
    {
      id: "eng",
      agent: "Engineer",
      after: ["arch"],
      fanout: "many",
      loop: true,
      expect: { calls: 8, output_tokens: 1200 },
    },
    { id: "qa", agent: "QaEngineer", after: ["eng", "eng"], fanout: 3 },
    { id: "pm", agent: "ProductManager" },
    { id: "arch", agent: null, after: ["pm"] },
  ],
  match: [{ agent: "Architect", system_prefix: "You are a Architect, named Bob" }],
  priority: "interactive",
};

function put({ url }: StartedServer, id: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/workflows/${encodeURIComponent(id)}`, { method: "PUT", body: JSON.stringify(body), headers });
}

describe("a workflow", () => {
  it("is declared in topological order and can be read back", async () => {
    const server = await startServer();
    const response = await put(server, "company", company);
    expect(response.status).toBe(200);
    const shown = {
      ...{ object: "workflow", id: "company", workflow: "software-company" },
      stages: [
        { id: "pm", agent: "ProductManager", after: [], expect: { calls: 1, output_tokens: null } },
        { id: "arch", agent: null, after: ["pm"], expect: { calls: 1, output_tokens: null } },
        { id: "eng", agent: "Engineer", after: ["arch"], expect: { calls: 8, output_tokens: 1200 } },
        { id: "qa", agent: "QaEngineer", after: ["eng"], expect: { calls: 3, output_tokens: null } },
      ],
      match: [{ agent: "Architect", stage: null, system_prefix: "You are a Architect, named Bob" }],
    };
    expect(await response.json()).toEqual(shown);
    expect(await (await fetch(`${server.url}/workflows/company`)).json()).toEqual(shown);
    expect(await (await fetch(`${server.url}/workflows`)).json()).toEqual({ object: "list", data: [shown] });
    expect(server.live.workflows.company?.stages.map(({ id }) => id)).toEqual(["pm", "arch", "eng", "qa"]);
  });

  it("keeps the declared order where nothing waits", async () => {
    const server = await startServer();
    await put(server, "flat", { stages: [{ id: "c" }, { id: "a" }, { id: "b", after: ["c"] }] });
    expect(server.live.workflows.flat).toMatchObject({ name: "flat", stages: [{ id: "c" }, { id: "a" }, { id: "b" }] });
  });

  it("may have an id with slashes, and is replaced when it is declared again", async () => {
    const server = await startServer();
    await put(server, "team/a b", { stages: [{ id: "x" }] });
    await put(server, "team/a b", { stages: [{ id: "y" }] });
    expect(server.live.workflows["team/a b"]?.stages).toMatchObject([{ id: "y" }]);
  });

  it.each<[string, unknown, string | null, RegExp]>([
    [
      "a stage after one that is not there",
      { stages: [{ id: "a" }, { id: "b", after: ["a", "x"] }] },
      "stages.1.after.1",
      /'b' comes after 'x', but there is no such stage/,
    ],
    ["two stages with one id", { stages: [{ id: "a" }, { id: "b" }, { id: "a" }] }, "stages.2.id", /two stages 'a'/],
    [
      "a circle",
      { stages: [{ id: "s" }, { id: "a", after: ["s", "c"] }, { id: "b", after: ["a"] }, { id: "c", after: ["b"] }] },
      "stages",
      /in a circle: a -> b -> c -> a\./,
    ],
    ["a stage after itself", { stages: [{ id: "a", after: ["a"] }] }, "stages", /in a circle: a -> a\./],
    ["no stages", {}, "stages", /Missing/],
    ["an empty list of stages", { stages: [] }, "stages", /at least one/],
    ["a stage without an id", { stages: [{ agent: "x" }] }, "stages.0.id", /Missing/],
    ["an id with a line break", { stages: [{ id: "a\nb" }] }, "stages.0.id", /control characters/],
    ["a long id", { stages: [{ id: "x".repeat(129) }] }, "stages.0.id", /128/],
    ["calls below 1", { stages: [{ id: "a", expect: { calls: 0 } }] }, "stages.0.expect.calls", /./],
    [
      "257 stages",
      { stages: Array.from({ length: 257 }, (_, index) => ({ id: `s${index}` })) },
      "stages",
      /at most 256/,
    ],
    ["a body that is text", "x", null, /JSON object/],
  ])("with %s is a 400 that says so", async (_what, body, param, words) => {
    const server = await startServer();
    const response = await put(server, "w", body);
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.param).toBe(param);
    expect(error.message).toMatch(words);
    expect(server.live.workflows).toEqual({});
  });

  it("that nobody declared is a 404", async () => {
    const { url } = await startServer();
    for (const id of ["nope", "constructor"]) {
      const response = await fetch(`${url}/workflows/${id}`);
      expect(response.status).toBe(404);
      expect((await errorOf(response)).code).toBe("workflow_not_found");
    }
  });

  it("is refused beyond 256, but may still replace one of them", async () => {
    const server = await startServer();
    for (let index = 0; index < 256; index += 1) {
      server.live.declareWorkflow({ workflowId: `w${index}`, name: "w", stages: [] });
    }
    const response = await put(server, "more", { stages: [{ id: "a" }] });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).code).toBe("too_many_workflows");
    expect((await put(server, "w7", { stages: [{ id: "a" }] })).status).toBe(200);
  });
});

describe("a request of a workflow", () => {
  it("carries its run, stage and agent to the scheduler, by headers of the official client", async () => {
    const server = await startServer({ answers: ["a"] });
    await put(server, "company", company);
    const headers = { "X-Workflow-Id": "company", "X-Workflow-Run": "42", "X-Workflow-Stage": "pm" };
    await server.client.chat.completions.create(hello, { headers });
    expect(server.live.requests[0]?.spec).toMatchObject({
      agent: "ProductManager",
      taskId: "company/42",
      workflowId: "company",
      stageId: "pm",
    });
  });

  it("carries them by metadata as well", async () => {
    const server = await startServer({ answers: ["a"] });
    const metadata = { "workflow.id": "w", "workflow.run": "1", "workflow.stage": "s", "gen_ai.agent.name": "me" };
    await server.client.chat.completions.create({ ...hello, metadata });
    expect(server.live.requests[0]?.spec).toMatchObject({ agent: "me", taskId: "w/1", workflowId: "w", stageId: "s" });
  });

  it("that names nothing is a task of its own under its x-request-id", async () => {
    const server = await startServer({ answers: ["a"] });
    const { response } = await server.client.chat.completions.create(hello).withResponse();
    const id = response.headers.get("x-request-id");
    expect(server.live.requests[0]?.spec).toMatchObject({
      requestId: id,
      taskId: id,
      workflowId: null,
      stageId: null,
      agent: "chat",
    });
  });
});
