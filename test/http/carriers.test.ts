/** Captured headers and bodies of real clients, and the carriers that work in all of them: what each says of its sender. */
import { describe, expect, it } from "vitest";
import { noteAddress, noteKey, readAddress, splitAlias } from "../../electron/http/identity/caller";
import { type IdentitySource, readIdentity } from "../../electron/http/identity/identity";
import { post, startServer } from "./start-server";

function read(source: Partial<IdentitySource>): Record<string, string> {
  const identity = readIdentity({
    ...{ headers: {}, metadata: {}, sessionId: undefined, user: undefined },
    ...{ messages: [{ role: "user", content: "hi" }] },
    ...source,
  });
  return Object.fromEntries(
    Object.entries(identity).map(([field, { value, carrier }]) => [field, `${value} (${carrier})`]),
  );
}

describe("captured clients", () => {
  it("opencode: a sub-agent of its own session", () => {
    const headers = {
      "user-agent": "opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14",
      ...{ "x-session-id": "ses_S2", "x-session-affinity": "ses_S2", "x-parent-session-id": "ses_S1" },
    };
    expect(read({ headers })).toMatchObject({
      ...{ run: "ses_S1 (opencode)", session: "ses_S2 (header)", parentSession: "ses_S1 (header)" },
    });
  });

  it("Claude Code: main turn after a tool", () => {
    const headers = {
      ...{ "x-claude-code-session-id": "U1", "x-claude-code-request-class": "main" },
      ...{ "x-claude-code-prev-tool-durations": "Bash=308" },
    };
    expect(read({ headers })).toMatchObject({
      ...{ run: "U1 (claude_code)", session: "U1 (claude_code)", agent: "claude-code (claude_code)" },
      ...{ requestClass: "main (claude_code)", toolMs: "Bash=308 (claude_code)" },
    });
  });

  it("Claude Code: nested sub-agent, and a body alone", () => {
    const headers = {
      ...{ "x-claude-code-session-id": "U1", "x-claude-code-agent-id": "a2" },
      ...{ "x-claude-code-parent-agent-id": "a1", "x-claude-code-agent-type": "general-purpose" },
    };
    expect(read({ headers })).toMatchObject({
      ...{ run: "U1 (claude_code)", session: "U1/a2 (claude_code)", parentSession: "U1/a1 (claude_code)" },
      agent: "claude-code:general-purpose (claude_code)",
    });
    expect(read({ metadata: { user_id: '{"device_id":"D","session_id":"U1"}' } })).toMatchObject({
      ...{ run: "U1 (claude_code)", session: "U1 (claude_code)" },
    });
  });

  it("Claude Code with telemetry: the trace is the run", () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-3083c5cae72f065d-01";
    expect(read({ headers: { traceparent } })).toMatchObject({ run: "4bf92f3577b34da6a3ce929d0e0e4736 (traceparent)" });
  });

  it("Codex: root and child have one run and two sessions", () => {
    const root = { "session-id": "T1", "thread-id": "T1" };
    const child = {
      ...{ "session-id": "T1", "thread-id": "T2", "x-openai-subagent": "collab_spawn" },
      "x-codex-parent-thread-id": "T1",
    };
    const body = { prompt_cache_key: "T1", store: false };
    expect(read({ headers: root, body })).toMatchObject({ run: "T1 (codex)", session: "T1 (codex)" });
    expect(read({ headers: child, body })).toMatchObject({
      ...{ run: "T1 (codex)", session: "T2 (codex)", parentSession: "T1 (codex)", agent: "codex:collab_spawn (codex)" },
    });
  });

  it("openai-node with its headers set in the environment", () => {
    const headers = { "user-agent": "OpenAI/JS 7.59.0", "x-session-id": "run-42", "x-agent": "planner" };
    expect(read({ headers })).toEqual({ session: "run-42 (header)", agent: "planner (header)" });
  });

  it("Open WebUI, LiteLLM, Helicone, NVIDIA Dynamo", () => {
    expect(read({ headers: { "x-openwebui-chat-id": "C" } })).toEqual({
      ...{ session: "C (open_webui)", agent: "open-webui (open_webui)" },
    });
    expect(read({ body: { litellm_session_id: "L" } })).toMatchObject({ session: "L (litellm)" });
    expect(read({ body: { metadata: { litellm_session_id: "M" } } })).toMatchObject({ session: "M (litellm)" });
    expect(read({ headers: { "helicone-session-id": "H", "helicone-session-path": "/book/outline" } })).toMatchObject({
      ...{ run: "H (helicone)", session: "H/book/outline (helicone)", parentSession: "H/book (helicone)" },
      agent: "outline (helicone)",
    });
    const nvext = {
      agent_context: { workflow_type_id: "w", workflow_id: "r", program_id: "s", parent_program_id: "p" },
      agent_hints: { osl: 250 },
    };
    expect(read({ headers: { "x-dynamo-session-final": "true" }, body: { nvext } })).toMatchObject({
      ...{ workflow: "w (body)", run: "r (body)", session: "s (body)", parentSession: "p (body)" },
      ...{ expectedTokens: "250 (body)", final: "true (header)" },
    });
  });

  it("says nothing where a field has another type", () => {
    const body = { session_id: {}, nvext: [], service_tier: 7, litellm_session_id: null, metadata: "x" };
    expect(read({ body })).toEqual({ agent: "chat (default)" });
  });

  it("reads OpenAI's own priority", () => {
    expect(read({ body: { service_tier: "flex" } })).toMatchObject({ priority: "background (body)" });
    expect(read({ body: { service_tier: "priority" } })).toMatchObject({ priority: "interactive (body)" });
  });
});

describe("carriers that every client has", () => {
  it("reads the address and leaves the rest of it", () => {
    expect(readAddress("/w/my%20crew/a/plan%2Fner/v1/models?x=1")).toEqual({
      url: "/v1/models?x=1",
      claims: { workflow: "my crew", agent: "plan/ner" },
    });
    expect(readAddress("/a/planner/v1")).toEqual({ url: "/v1", claims: { workflow: undefined, agent: "planner" } });
    expect(readAddress("/w/crew/v1/models").url).toBe("/v1/models");
    for (const url of ["/v1/models", "/w/crew/models", "/w/%E0/v1/models", "/w//v1/models", "/"]) {
      expect(readAddress(url)).toEqual({ url, claims: {} });
    }
  });

  it("reads a model's alias", () => {
    expect(splitAlias("qwen3-8b@planner")).toEqual({ model: "qwen3-8b", agent: "planner" });
    for (const model of ["qwen3-8b", "@planner", "qwen3-8b@"])
      expect(splitAlias(model)).toEqual({ model, agent: undefined });
  });

  it("orders them: what is said on purpose, then address, alias and key", () => {
    const headers = {};
    noteAddress(headers, { agent: "from-address" });
    noteKey(headers, { agent: "from-key", workflow: "w" });
    expect(read({ headers, model: "m@from-alias" })).toEqual({ agent: "from-address (url)", workflow: "w (api_key)" });
    expect(read({ model: "m@from-alias" })).toEqual({ agent: "from-alias (model_alias)" });
  });

  it("places a request by its address and serves it under the alias", async () => {
    const { live, origin } = await startServer({ answers: ["hi"] });
    const body = { messages: [{ role: "user", content: "hello" }] };
    const placed = await post(`${origin}/w/crew/a/planner/v1/chat/completions`, { ...body, model: "default" });
    expect(placed.status).toBe(200);
    expect(live.requests[0]?.spec).toMatchObject({ agent: "planner", workflowId: "crew" });
    const aliased = await post(`${origin}/v1/chat/completions`, { ...body, model: "default@critic" });
    expect(await aliased.json()).toMatchObject({ model: "default@critic" });
    expect(live.requests[1]?.spec).toMatchObject({ agent: "critic", workflowId: null });
    expect((await post(`${origin}/v1/chat/completions`, { ...body, model: "other@critic" })).status).toBe(404);
  });
});
