/** What a carrier may say about the sender of a request. Only types. */

export type IdentityField =
  | "workflow"
  | "run"
  | "session"
  | "parentSession"
  | "agent"
  | "stage"
  /** Stages this one comes after, separated by commas. */
  | "after"
  | "expectedTokens"
  /** What the client calls this kind of request, e.g. `subagent`. */
  | "requestClass"
  /** `interactive` or `background`, else the client's own word. */
  | "priority"
  /** The session's last request. */
  | "final"
  /** How long the tools took since the last answer, as the client says it. */
  | "toolMs";

export type Carrier =
  | "header"
  | "body"
  | "baggage"
  | "claude_code"
  | "codex"
  | "opencode"
  | "open_webui"
  | "litellm"
  | "helicone"
  | "traceparent"
  | "url"
  | "model_alias"
  | "api_key"
  /** A workflow's `match`: what its declaration says of prompts that begin so. */
  | "workflow_match"
  /** Found by what comes back to us: ids we gave out, a prompt an answer of ours asked for, a conversation we know. */
  | "our_id"
  | "spawn"
  | "conversation"
  | "message_name"
  | "system_prompt"
  | "user"
  | "default";

export type Claims = Partial<Record<IdentityField, string | undefined>>;
