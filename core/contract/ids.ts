/**
 * Names for the numbers and strings that must not be mixed up. A flavour is optional, so a plain literal still fits,
 * but a slot can never be handed where a token is wanted.
 */
declare const flavour: unique symbol;
export type Flavour<Value, Name extends string> = Value & { readonly [flavour]?: Name };

/** One call of the endpoint; given by the driver, unique for the life of the server. */
export type RequestId = Flavour<string, "RequestId">;
/** One run of a workflow (the header's or metadata's `workflow.run`), or the request's own id when none was named. */
export type TaskId = Flavour<string, "TaskId">;
export type WorkflowId = Flavour<string, "WorkflowId">;
export type StageId = Flavour<string, "StageId">;
/** Whoever sends requests that begin with the same system prompt. */
export type AgentId = Flavour<string, "AgentId">;
/** A llama.cpp sequence, numbered from 0. */
export type SlotIndex = Flavour<number, "SlotIndex">;
/** An id in the model's vocabulary. */
export type Token = Flavour<number, "Token">;
/** Milliseconds since the server started. */
export type Milliseconds = Flavour<number, "Milliseconds">;
export type Seconds = Flavour<number, "Seconds">;
export type Bytes = Flavour<number, "Bytes">;
