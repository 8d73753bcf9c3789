/** The local endpoint: puts its parts together, listens and closes. It knows the running server only as `Live`. */
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import type { Live } from "../live/live";
import { registerActs } from "./acts";
import { AgentStore } from "./agents/agent-store";
import { registerAgents } from "./agents/agents";
import { registerMessages } from "./anthropic/messages";
import { speaksAnthropic } from "./anthropic/speaks-anthropic";
import { createKeyCheck, type KeyCheck } from "./api-key";
import { registerChatCompletions } from "./chat/chat-completions";
import { registerCompletions } from "./completions/completions";
import { registerCrossOrigin } from "./cross-origin";
import { registerEmbeddings } from "./embeddings";
import type { Models } from "./enter-model";
import { answerUnreadable, answerWith, registerErrorAnswers, toApiError } from "./error-answers";
import { registerExplain } from "./explain";
import { Joins } from "./generation/joins";
import { registerHealth } from "./health";
import { HostCheck, isLoopbackHost } from "./host-check";
import { defaultTiming, type HttpContext, type HttpLog, type HttpTiming } from "./http-context";
import { noteAddress, readAddress } from "./identity/caller";
import { Conversations } from "./identity/conversations";
import { registerInspect } from "./inspect";
import { listenError } from "./listen-error";
import { registerMetrics } from "./metrics";
import { registerModels } from "./models";
import { OpenAnswers, refuseWhileDraining } from "./open-answers";
import { registerOpenApi } from "./openapi";
import { registerPast } from "./past";
import { registerPolicy } from "./policy";
import { registerQueue } from "./queue";
import { registerRecording } from "./recording";
import { Refusals } from "./refusals";
import { bodyBytesMax, registerRequestBody } from "./request-body";
import { RequestIds, readRequestId } from "./request-ids";
import { registerResponses } from "./responses/responses";
import { registerRoot } from "./root";
import { registerTokenize } from "./tokenize";
import { registerTopasHeaders } from "./topas-headers";
import { WorkflowMatches } from "./workflow/matches";
import { registerWorkflows } from "./workflow/workflows";

export interface HttpServerOptions {
  readonly live: Live;
  /** Absent: recordings hold what is in memory. */
  readonly recordingOnDisk?: HttpContext["recordingOnDisk"];
  /** Adds what is no part of the API. */
  readonly addPages?: (app: FastifyInstance) => void;
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Optional on loopback, needed on any other host. */
  readonly apiKey?: string | undefined;
  /** Keeps the named agents and the hashes of their keys; without it they are gone when the server ends. */
  readonly agentsFile?: string | null;
  /** Without them there is the one model that is loaded. */
  readonly models?: Models | null;
  readonly log: HttpLog;
  readonly timing?: Partial<HttpTiming>;
}

export interface HttpServer {
  /** Base URL for clients, ending in /v1. */
  readonly url: string;
  readonly port: number;
  /** Refuses new requests and resolves when the last open one has ended, at the latest after `withinMs`. */
  drain(withinMs: number): Promise<void>;
  readonly openAnswers: number;
  /** Ends open answers with an error, also in the middle of `drain`, and resolves when the port is free. */
  close(): Promise<void>;
}

/** Rejects with `PortInUse`, or with an `Error` in plain words when it cannot listen there. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { live, host, port, apiKey, log } = options;
  if (!apiKey && !isLoopbackHost(host)) {
    throw new Error(
      `Listening on ${host} lets other machines in, so an API key is needed. Set one with --api-key KEY.`,
    );
  }
  const timing = { ...defaultTiming, ...options.timing };
  const context: HttpContext = {
    live,
    recordingOnDisk: options.recordingOnDisk ?? (async () => null),
    log,
    timing,
    models: options.models ?? null,
    joins: new Joins(timing.comesBackWithinMs),
    requestIds: new RequestIds((id) => live.explain(id) !== null),
    refusals: new Refusals(),
    matches: new WorkflowMatches(),
    agents: new AgentStore(options.agentsFile ?? null),
    conversations: new Conversations(),
    openAnswers: new OpenAnswers(),
    startedAtS: Math.floor(Date.now() / 1000),
  };
  const app = createApp(log, context.timing);
  await registerHooks(app, new HostCheck(host), createKeyCheck(apiKey, context.agents));
  refuseWhileDraining(app, context.openAnswers);
  registerErrorAnswers(app, log);
  registerRequestBody(app);
  registerTopasHeaders(app, live);
  for (const register of [registerRoot, registerHealth, registerModels, registerChatCompletions])
    register(app, context);
  for (const register of [
    registerWorkflows,
    registerExplain,
    registerInspect,
    registerPast,
    registerAgents,
    registerOpenApi,
    registerMetrics,
    registerQueue,
    registerActs,
    registerPolicy,
  ])
    register(app, context);
  for (const register of [registerResponses, registerMessages, registerRecording]) register(app, context);
  for (const register of [registerCompletions, registerEmbeddings, registerTokenize]) register(app, context);
  options.addPages?.(app);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(error, host, port);
  }
  const actualPort = (app.server.address() as AddressInfo).port;
  let closing: Promise<void> | null = null;
  return {
    url: `http://${reachable(host)}:${actualPort}/v1`,
    port: actualPort,
    get openAnswers() {
      return context.openAnswers.size;
    },
    drain: (withinMs) => context.openAnswers.drain(withinMs),
    close() {
      closing ??= close(app, context);
      return closing;
    },
  };
}

/** Pooled clients keep connections for a minute: closing them sooner, or counting a queued answer as idle, breaks their next call. */
function createApp(log: HttpLog, { arrivalMs }: HttpTiming): FastifyInstance {
  const app = Fastify({
    http: {
      maxHeaderSize: 64 * 1024,
      headersTimeout: Math.min(80_000, arrivalMs),
      connectionsCheckingInterval: Math.min(30_000, arrivalMs),
      noDelay: true,
      keepAlive: true,
    },
    keepAliveTimeout: 75_000,
    // Of the request alone: an answer may take as long as it takes.
    requestTimeout: arrivalMs,
    connectionTimeout: 0,
    bodyLimit: bodyBytesMax,
    // Whoever comes while it closes is answered in the shape of its own API.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (raw) => readRequestId(raw.headers["x-request-id"]),
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      reply.header("x-request-id", request.id);
      answerWith(toApiError(error, log), request, reply, log);
    },
    routerOptions: { maxParamLength: 4096 },
    rewriteUrl: (raw) => {
      const { url, claims } = readAddress(raw.url ?? "/");
      noteAddress(raw.headers, claims);
      return url;
    },
  });
  return app;
}

/** Order matters: id first so that every answer has one, then host, then preflights, which carry no key, then the key. */
async function registerHooks(app: FastifyInstance, hostCheck: HostCheck, checkKey: KeyCheck): Promise<void> {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (speaksAnthropic(request)) reply.header("request-id", request.id);
    hostCheck.check(request);
  });
  await registerCrossOrigin(app, hostCheck);
  app.addHook("onRequest", async (request) => checkKey(request));
}

function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

const closeWithinMs = 1_000;

async function close(app: FastifyInstance, { openAnswers }: HttpContext): Promise<void> {
  const closing = app.close();
  openAnswers.stopAll();
  // Time for the last bytes to leave; idle connections of pooled clients would otherwise hold the port for their 75 s.
  const cut = setTimeout(() => app.server.closeAllConnections(), closeWithinMs);
  await closing;
  clearTimeout(cut);
}
