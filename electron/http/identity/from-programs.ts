/** What coding agents send by themselves: Claude Code, Codex and opencode each name their sessions and sub-agents in a way of their own. */
import type { IncomingHttpHeaders } from "node:http";
import type { Claims } from "./claims";
import { readHeader } from "./from-explicit";

/** One session id for the main agent and all its children, so the session is the run. */
export function fromClaudeCode(headers: IncomingHttpHeaders, metadata: Readonly<Record<string, unknown>>): Claims {
  const said = (name: string) => readHeader(headers, `x-claude-code-${name}`);
  const root = said("session-id") ?? member(parsed(metadata.user_id), "session_id");
  if (root === undefined) return {};
  const child = said("agent-id");
  const parent = said("parent-agent-id");
  return {
    run: root,
    session: child === undefined ? root : `${root}/${child}`,
    parentSession: child === undefined ? undefined : parent === undefined ? root : `${root}/${parent}`,
    agent: child === undefined ? "claude-code" : `claude-code:${said("agent-type") ?? "subagent"}`,
    requestClass: said("request-class"),
    toolMs: said("prev-tool-durations"),
  };
}

/** `session-id` is the root's for all children; only `thread-id` tells them apart. */
export function fromCodex(headers: IncomingHttpHeaders): Claims {
  const thread = readHeader(headers, "thread-id");
  if (thread === undefined) return {};
  const turn = parsed(readHeader(headers, "x-codex-turn-metadata"));
  const parent = readHeader(headers, "x-codex-parent-thread-id") ?? member(turn, "parent_thread_id");
  const subagent = readHeader(headers, "x-openai-subagent") ?? member(turn, "subagent_kind");
  return {
    run: readHeader(headers, "session-id") ?? member(turn, "session_id"),
    session: thread,
    parentSession: parent,
    agent: subagent === undefined ? "codex" : `codex:${subagent}`,
    requestClass: member(turn, "request_kind"),
  };
}

/** Each sub-agent has a session of its own and names its parent's, which is the run of both. */
export function fromOpencode(headers: IncomingHttpHeaders): Claims {
  if (!headers["user-agent"]?.startsWith("opencode/")) return {};
  const session = readHeader(headers, "x-session-id") ?? readHeader(headers, "x-session-affinity");
  const parentSession = readHeader(headers, "x-parent-session-id");
  return { run: parentSession ?? session, session, parentSession };
}

/** Forwards its chat's id when it is told to; the user stays unnamed. */
export function fromOpenWebUi(headers: IncomingHttpHeaders): Claims {
  const chat = readHeader(headers, "x-openwebui-chat-id");
  return chat === undefined ? {} : { session: chat, agent: "open-webui" };
}

/** LiteLLM's session comes in the body, as itself or inside `metadata`. */
export function fromLiteLlm(headers: IncomingHttpHeaders, body: unknown): Claims {
  const metadata = typeof body === "object" && body !== null ? (body as Record<string, unknown>).metadata : undefined;
  const session =
    readHeader(headers, "x-litellm-session-id") ??
    member(body, "litellm_session_id") ??
    member(metadata, "litellm_session_id");
  return { session };
}

/** `Helicone-Session-Path` is the place in the session's tree: its last step names the agent. */
export function fromHelicone(headers: IncomingHttpHeaders): Claims {
  const run = readHeader(headers, "helicone-session-id");
  if (run === undefined) return {};
  const steps = (readHeader(headers, "helicone-session-path") ?? "").split("/").filter((step) => step !== "");
  return {
    run,
    session: steps.length === 0 ? run : `${run}/${steps.join("/")}`,
    parentSession: steps.length < 2 ? undefined : `${run}/${steps.slice(0, -1).join("/")}`,
    agent: steps.at(-1),
  };
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function member(object: unknown, name: string): string | undefined {
  const value = typeof object === "object" && object !== null ? (object as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
