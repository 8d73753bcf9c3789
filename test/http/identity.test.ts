/** How a request's workflow, run, stage, session and agent are read from what clients send. */
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/contract/engine";
import type { Workflow } from "../../core/topas/workflow";
import { cleanName, type IdentitySource, readIdentity } from "../../electron/http/identity/identity";
import { placeRequest } from "../../electron/http/identity/place-request";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-3083c5cae72f065d-01";
const user: ChatMessage = { role: "user", content: "hi" };
const system = (content: string, name?: string): ChatMessage => ({
  role: "system",
  content,
  ...(name ? { name } : {}),
});

function read(source: Partial<IdentitySource>) {
  return readIdentity({
    headers: {},
    metadata: {},
    sessionId: undefined,
    user: undefined,
    messages: [user],
    ...source,
  });
}

/** Only the values. */
function values(source: Partial<IdentitySource>): Record<string, string> {
  return Object.fromEntries(Object.entries(read(source)).map(([field, claim]) => [field, claim.value]));
}

function place(source: Partial<IdentitySource>, ...declared: Workflow[]) {
  return placeRequest(
    read(source),
    "req_1",
    Object.fromEntries(declared.map((workflow) => [workflow.workflowId, workflow])),
  );
}

function workflow(workflowId: string, ...stages: [id: string, agent: string | null][]): Workflow {
  return {
    ...{ workflowId, name: workflowId },
    stages: stages.map(([id, agent]) => ({ id, agent, after: [], expectedCalls: 1, expectedOutputTokens: null })),
  };
}

describe("what clients say on purpose", () => {
  const said = { workflow: "crew", run: "7", stage: "plan", agent: "planner", session: "s1" };

  it("is read from headers", () => {
    const headers = {
      "x-workflow-id": "crew",
      "x-workflow-run": "7",
      "x-workflow-stage": "plan",
      "x-agent": "planner",
      "x-session-id": "s1",
    };
    expect(values({ headers })).toEqual(said);
  });

  it("is read from metadata, numbers too", () => {
    const metadata = {
      "workflow.id": "crew",
      "workflow.run": 7,
      "workflow.stage": "plan",
      "gen_ai.agent.name": "planner",
      "gen_ai.conversation.id": "s1",
    };
    expect(values({ metadata })).toEqual(said);
  });

  it("is read from W3C baggage, decoded and without its properties", () => {
    const baggage =
      "workflow.id=crew;p=1, workflow.run = 7 ,workflow.stage=plan,gen_ai.agent.name=pl%61nner,gen_ai.conversation.id=s1,broken,other=%E0";
    expect(values({ headers: { baggage } })).toEqual(said);
  });

  it("wins in this order: header, body, baggage; each value keeps its carrier", () => {
    const identity = read({
      headers: { "x-agent": "from-header", baggage: "gen_ai.agent.name=b,workflow.run=b,workflow.stage=b" },
      metadata: { "gen_ai.agent.name": "m", "workflow.run": "m" },
    });
    expect(identity).toEqual({
      agent: { value: "from-header", carrier: "header" },
      run: { value: "m", carrier: "body" },
      stage: { value: "b", carrier: "baggage" },
    });
  });

  it("is cut to 128 characters and loses control characters", () => {
    expect(cleanName(` a\u0000\u001bb\u202ec\n `)).toBe("abc");
    expect(cleanName("é".repeat(200))).toBe("é".repeat(128));
    expect([...cleanName("😀".repeat(200))]).toHaveLength(128);
    expect(values({ headers: { "x-agent": "x".repeat(500) } }).agent).toBe("x".repeat(128));
    expect(values({ headers: { "x-agent": " \u0007 " } }).agent).toBe("chat");
  });

  it("may hold UTF-8 in headers, which Node hands over as latin1", () => {
    expect(values({ headers: { "x-agent": Buffer.from("Prüfer").toString("latin1") } }).agent).toBe("Prüfer");
  });
});

describe("what coding agents send by themselves", () => {
  it("names Codex's threads: the root's session is the run of all its children", () => {
    const root = {
      "session-id": "T1",
      "thread-id": "T1",
      "x-codex-turn-metadata": '{"session_id":"T1","thread_id":"T1","agent_name":"/root","request_kind":"turn"}',
    };
    expect(values({ headers: root })).toEqual({ run: "T1", session: "T1", agent: "codex", requestClass: "turn" });
    const child = {
      ...root,
      "thread-id": "T2",
      "x-openai-subagent": "collab_spawn",
      "x-codex-parent-thread-id": "T1",
    };
    expect(values({ headers: child })).toMatchObject({
      run: "T1",
      session: "T2",
      parentSession: "T1",
      agent: "codex:collab_spawn",
    });
    expect(place({ headers: child }).taskId).toBe(place({ headers: root }).taskId);
  });

  it("names Claude Code's agents, nested ones with their parent", () => {
    const main = { "x-claude-code-session-id": "U1", "x-claude-code-request-class": "main" };
    expect(values({ headers: main })).toEqual({ run: "U1", session: "U1", agent: "claude-code", requestClass: "main" });
    const nested = {
      ...{ "x-claude-code-session-id": "U1", "x-claude-code-agent-id": "a2", "x-claude-code-parent-agent-id": "a1" },
      ...{ "x-claude-code-agent-type": "general-purpose", "x-claude-code-request-class": "subagent" },
    };
    expect(values({ headers: nested })).toEqual({
      ...{
        run: "U1",
        session: "U1/a2",
        parentSession: "U1/a1",
        agent: "claude-code:general-purpose",
        requestClass: "subagent",
      },
    });
  });

  it("finds Claude Code's session in metadata.user_id", () => {
    const user_id = '{"device_id":"D","account_uuid":"","session_id":"U1"}';
    expect(values({ metadata: { user_id } })).toMatchObject({ run: "U1", session: "U1" });
    expect(values({ metadata: { user_id: "{not json" } }).run).toBeUndefined();
  });

  it("joins opencode's sub-agents with their parent in one task", () => {
    const agent = { "user-agent": "opencode/1.18.33 ai-sdk/provider-utils/4.0.23" };
    const root = { ...agent, "x-session-id": "ses_S1", "x-session-affinity": "ses_S1" };
    const child = {
      ...agent,
      "x-session-id": "ses_S2",
      "x-session-affinity": "ses_S2",
      "x-parent-session-id": "ses_S1",
    };
    expect(values({ headers: child })).toMatchObject({ session: "ses_S2", parentSession: "ses_S1", run: "ses_S1" });
    expect([place({ headers: root }).taskId, place({ headers: child }).taskId]).toEqual(["ses_S1", "ses_S1"]);
  });

  it("takes the trace for the run, unless a session is named", () => {
    expect(place({ headers: { traceparent } }).taskId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(place({ headers: { traceparent, "x-session-id": "run-42" } }).taskId).toBe("run-42");
    expect(place({ headers: { traceparent, "x-workflow-run": "r" } }).taskId).toBe("r");
    expect(place({ headers: { traceparent: `00-${"0".repeat(32)}-3083c5cae72f065d-01` } }).taskId).toBe("req_1");
    expect(place({ headers: { traceparent: "nonsense" } }).taskId).toBe("req_1");
  });
});

describe("an agent that nobody names", () => {
  it.each([
    [
      "CrewAI",
      "You are Senior Data Researcher. You're a seasoned one.\nYour personal goal is: x",
      "Senior Data Researcher",
    ],
    ["MetaGPT", "You are a Product Manager, named Alice, your goal is x. the constraint is y", "Product Manager Alice"],
    ["MetaGPT's grammar", "You are a Architect, named Bob, your goal is x", "Architect Bob"],
    ["a plain prompt", "You are a helpful assistant.", "helpful assistant"],
    ["a prompt with a clause", "You are an engineer who writes tests and much more besides", "engineer"],
    ["a prompt of one line", "You are the judge", "judge"],
  ])("is called by its role: %s", (_whose, prompt, agent) => {
    expect(read({ messages: [system(prompt), user] }).agent).toEqual({ value: agent, carrier: "system_prompt" });
  });

  it("is called by a short hash of its prompt when no role can be read", () => {
    const agentOf = (prompt: string) => values({ messages: [system(prompt), user] }).agent;
    expect(agentOf("Answer in JSON.")).toMatch(/^agent-[\da-f]{8}$/);
    expect(agentOf("Answer in JSON.")).toBe(agentOf("Answer in JSON."));
    expect(agentOf("Answer in JSON.")).not.toBe(agentOf("Answer in XML."));
  });

  it("is called by the name on its own messages, never by another speaker's", () => {
    expect(values({ messages: [system("You are x.", "critic"), user] }).agent).toBe("critic");
    expect(
      values({ messages: [system("You are x."), user, { role: "assistant", content: "a", name: "writer" }] }).agent,
    ).toBe("writer");
    expect(values({ messages: [system("You are x."), { ...user, name: "planner" }] }).agent).toBe("x");
  });

  it("without a prompt is called by user, and chat when there is nothing at all", () => {
    expect(values({ user: "tina" }).agent).toBe("tina");
    expect(values({ user: "tina", messages: [system("You are x."), user] }).agent).toBe("x");
    expect(values({}).agent).toBe("chat");
    expect(values({ messages: [system("  "), user] }).agent).toBe("chat");
  });
});

describe("the task", () => {
  it("is the run, kept apart by workflow", () => {
    const run = (id: string) =>
      place({ headers: { "x-workflow-id": id, "x-workflow-run": "1", "x-session-id": "s" } }).taskId;
    expect([run("crew"), run("code"), run("crew/a")]).toEqual(["crew/1", "code/1", "crew%2Fa/1"]);
    expect(place({ headers: { "x-workflow-run": "1" } }).taskId).toBe("1");
  });

  it("is else the session, else the request itself", () => {
    expect(place({ headers: { "x-session-id": "s" } }).taskId).toBe("s");
    expect(place({ sessionId: "body-session" }).taskId).toBe("body-session");
    expect(place({}).taskId).toBe("req_1");
  });
});

describe("a stage", () => {
  const crew = workflow("crew", ["plan", "planner"], ["write", null]);

  it("of a declared workflow gives its agent, unless the request names one", () => {
    const headers = { "x-workflow-id": "crew", "x-workflow-run": "1", "x-workflow-stage": "plan" };
    const messages = [system("You are x."), user];
    expect(place({ headers, messages }, crew)).toEqual({
      agent: "planner",
      taskId: "crew/1",
      workflowId: "crew",
      stageId: "plan",
    });
    expect(place({ headers: { ...headers, "x-agent": "own" }, messages }, crew).agent).toBe("own");
    expect(place({ headers: { ...headers, "x-workflow-stage": "write" }, messages }, crew).agent).toBe("x");
  });

  it("finds its workflow alone while only one has it", () => {
    const metadata = { "workflow.run": "1", "workflow.stage": "plan" };
    expect(place({ metadata }, crew)).toMatchObject({ workflowId: "crew", taskId: "crew/1", agent: "planner" });
    expect(place({ metadata }, crew, workflow("other", ["plan", "p2"]))).toMatchObject({
      workflowId: null,
      taskId: "1",
    });
  });

  it("of a workflow nobody declared is passed on as it is", () => {
    const headers = { "x-workflow-id": "toString", "x-workflow-stage": "plan" };
    expect(place({ headers })).toMatchObject({ workflowId: "toString", stageId: "plan", agent: "chat" });
  });
});
