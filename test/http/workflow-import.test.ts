/** Workflows of other programs, rules that know a sender by its prompt, and withdrawing a workflow. */
import { describe, expect, it } from "vitest";
import { errorOf, post, type StartedServer, startServer } from "./start-server";

const tasks = `
research: { description: Find, agent: researcher, async_execution: true }
survey: { description: Ask, agent: interviewer, async_execution: true }
write: { description: Write, agent: writer }
review:
  agent: reviewer
  context: [research, write]
publish: { agent: editor, context: [] }
`;

/** As LangGraph.js writes it. */
const graph = {
  nodes: [
    { id: "__start__", type: "schema", data: "__start__" },
    { id: "plan", type: "runnable", data: { id: ["langchain", "RunnableCallable"], name: "plan" } },
    { id: "act", type: "runnable" },
    { id: "shell", type: "runnable", data: { id: ["langgraph", "ToolNode"], name: "tools" } },
    { id: "sum", type: "runnable" },
    { id: "__end__", type: "schema", data: "__end__" },
  ],
  edges: [
    { source: "__start__", target: "plan" },
    { source: "plan", target: "act" },
    { source: "act", target: "shell", conditional: true },
    { source: "shell", target: "act" },
    { source: "act", target: "sum", conditional: true },
    { source: "sum", target: "__end__" },
  ],
};

const load = ({ url }: StartedServer, body: unknown) => post(`${url}/workflows/import`, body);

async function importError(body: unknown) {
  const response = await load(await startServer(), body);
  return { status: response.status, ...(await errorOf(response)) };
}

describe("POST /v1/workflows/import", () => {
  it("reads CrewAI's tasks", async () => {
    const server = await startServer();
    expect((await load(server, { id: "crew", source: tasks })).status).toBe(200);
    expect(server.live.workflows.crew?.stages.map(({ id, agent, after }) => [id, agent, after])).toEqual([
      ["research", "researcher", []],
      ["survey", "interviewer", []],
      ["write", "writer", ["research", "survey"]],
      ["review", "reviewer", ["research", "write"]],
      ["publish", "editor", []],
    ]);
  });

  it("reads LangGraph's graph, as JSON and as text: through tools, without the loop's way back", async () => {
    const server = await startServer();
    for (const source of [graph, JSON.stringify(graph)]) {
      const answer = (await (await load(server, { id: "graph", workflow: "Agent", source })).json()) as object;
      expect(answer).toMatchObject({ object: "workflow", id: "graph", workflow: "Agent" });
      expect(server.live.workflows.graph?.stages.map(({ id, after }) => [id, after])).toEqual([
        ["plan", []],
        ["act", ["plan"]],
        ["sum", ["act"]],
      ]);
    }
  });

  it("says what is wrong and where", async () => {
    const source = (text: string) => importError({ id: "w", format: "crewai", source: text });
    expect(await source("a: {context: [nobody]}")).toMatchObject({ status: 400, param: "source.a.context.0" });
    expect(await source("a: {agent: 7}")).toMatchObject({ status: 400, param: "source.a.agent" });
    expect(await source("a: [")).toMatchObject({
      status: 400,
      param: "source",
      message: expect.stringMatching(/YAML cannot be read/),
    });
    expect(await source("a: {context: [b]}\nb: {context: [a]}")).toMatchObject({
      message: expect.stringMatching(/circle/),
    });
    for (const text of ["", "- a", "just words"]) {
      expect(await source(text)).toMatchObject({
        status: 400,
        param: "source",
        message: expect.stringMatching(/must map the name/),
      });
    }
    const bomb = ["a: &a [x]", ...[..."bcdefghij"].map((n, i) => `${n}: &${n} [${`*${"abcdefghij"[i]},`.repeat(9)}]`)];
    expect(await source(bomb.join("\n"))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/YAML cannot be read/),
    });
    const edge = { nodes: [{ id: "a" }], edges: [{ source: "a", target: "b" }] };
    expect(await importError({ id: "w", source: edge })).toMatchObject({ param: "source.edges.0.target" });
    expect(await importError({ id: "w", source: { nodes: [{}], edges: [] } })).toMatchObject({
      param: "source.nodes.0.id",
    });
    expect(await importError({ id: "w", source: "{" })).toMatchObject({
      message: expect.stringMatching(/not valid JSON/),
    });
    expect(await importError({ id: "w", format: "crewai", source: {} })).toMatchObject({
      message: expect.stringMatching(/wanted as text/),
    });
    expect(await importError({ source: "a: {}" })).toMatchObject({ code: "missing_required_parameter", param: "id" });
    expect(await importError({ id: " w", source: "a: {}" })).toMatchObject({ status: 400, param: "id" });
  });
});

describe("match", () => {
  it("names workflow, agent and stage of a prompt that begins so; the longest rule wins, a header stays stronger", async () => {
    const server = await startServer({ answers: ["ok"] });
    const declare = (id: string, match: unknown[]) =>
      fetch(`${server.url}/workflows/${id}`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ stages: [{ id: "design", agent: "Architect" }, { id: "build" }], match }),
      });
    await declare("company", [{ agent: "Architect", system_prefix: "You are a Architect, named Bob" }]);
    await declare("other", [{ stage: "build", system_prefix: "You are a" }]);
    const call = (system: string, headers = {}) => {
      const messages = [
        { role: "system", content: system },
        { role: "user", content: "go" },
      ];
      return post(`${server.url}/chat/completions`, { model: "default", messages }, headers);
    };
    await call("You are a Architect, named Bob, and you like SOLID.");
    await call("You are a builder.");
    await call("You are a Architect, named Bob", { "x-agent": "me" });
    await call("Something else");
    expect(server.live.requests.map(({ spec }) => [spec.workflowId, spec.agent, spec.stageId])).toEqual([
      ["company", "Architect", "design"],
      ["other", "builder", "build"],
      ["company", "me", "design"],
      [null, expect.stringMatching(/^agent-/), null],
    ]);
    expect((await declare("bad", [{ stage: "nope", system_prefix: "x" }])).status).toBe(400);
    expect((await declare("bad", [{ system_prefix: "x" }])).status).toBe(400);
  });
});

describe("DELETE /v1/workflows/{id}", () => {
  it("withdraws it with its rules", async () => {
    const server = await startServer();
    await load(server, { id: "crew", source: tasks });
    const gone = await fetch(`${server.url}/workflows/crew`, { method: "DELETE" });
    expect(await gone.json()).toEqual({ object: "workflow.deleted", id: "crew", deleted: true });
    expect(server.live.workflows).toEqual({});
    expect((await fetch(`${server.url}/workflows/crew`, { method: "DELETE" })).status).toBe(404);
  });
});
