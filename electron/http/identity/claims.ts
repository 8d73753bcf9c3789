/** What a carrier may say about the sender of a request. Only types. */

export type IdentityField =
  | "workflow"
  | "run"
  | "session"
  | "parentSession"
  | "agent"
  | "stage"
  /** What the client calls this kind of request, e.g. `subagent`. */
  | "requestClass";

export type Carrier =
  | "header"
  | "body"
  | "baggage"
  | "claude_code"
  | "codex"
  | "opencode"
  | "traceparent"
  | "message_name"
  | "system_prompt"
  | "user"
  | "default";

export type Claims = Partial<Record<IdentityField, string | undefined>>;
