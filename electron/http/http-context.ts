/** What every part of the endpoint is given: the running server and the few numbers tests change. */
import type { Readable } from "node:stream";
import type { Live } from "../live/live";
import type { AgentStore } from "./agents/agent-store";
import type { Models } from "./enter-model";
import type { Joins } from "./generation/joins";
import type { Conversations } from "./identity/conversations";
import type { OpenAnswers } from "./open-answers";
import type { Refusals } from "./refusals";
import type { RequestIds } from "./request-ids";
import type { WorkflowMatches } from "./workflow/matches";

export interface HttpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface HttpTiming {
  /** Longest silence on an open answer. Clients give up after 300 s at the latest; proxies after less. */
  readonly keepAliveMs: number;
  /** When an answer that is not streamed sends its headers although it has not ended. */
  readonly earlyHeadersMs: number;
  /** Within it a request has to have arrived in full, or its connection is closed. */
  readonly arrivalMs: number;
  /** How long a generation whose client hung up goes on where the client is likely to send its request again. */
  readonly comesBackWithinMs: number;
}

export const defaultTiming: HttpTiming = {
  keepAliveMs: 10_000,
  earlyHeadersMs: 60_000,
  arrivalMs: 300_000,
  // Official clients wait half a second before their second try, a second before their third.
  comesBackWithinMs: 5_000,
};

export interface HttpContext {
  readonly live: Live;
  /** This run from the journal that is kept on disk, packed; null where there is none. */
  recordingOnDisk(): Promise<Readable | null>;
  readonly log: HttpLog;
  readonly timing: HttpTiming;
  readonly requestIds: RequestIds;
  readonly refusals: Refusals;
  readonly matches: WorkflowMatches;
  readonly agents: AgentStore;
  readonly conversations: Conversations;
  /** Null: the server has the one model that is loaded. */
  readonly models: Models | null;
  readonly openAnswers: OpenAnswers;
  readonly joins: Joins;
  /** Epoch seconds; `created` of the model. */
  readonly startedAtS: number;
}
