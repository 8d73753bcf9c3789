/** Starts the endpoint over a `FakeLive` for one test and closes it behind the test. */
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../../electron/http/server";
import { FakeLive, type FakeLiveOptions } from "./fake-live";

export interface StartedServer {
  readonly live: FakeLive;
  readonly server: HttpServer;
  /** Ends in /v1. */
  readonly url: string;
  /** Without a path. */
  readonly origin: string;
  readonly client: OpenAI;
  /** Messages logged as errors. */
  readonly loggedErrors: string[];
}

export interface StartOptions extends FakeLiveOptions {
  readonly http?: Partial<HttpServerOptions>;
}

export async function startServer({ http, ...options }: StartOptions = {}): Promise<StartedServer> {
  const live = new FakeLive(options);
  const loggedErrors: string[] = [];
  const quiet = () => {};
  const log = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (_fields: object, message: string) => void loggedErrors.push(message),
  };
  const server = await createHttpServer({ live, host: "127.0.0.1", port: 0, log, ...http });
  onTestFinished(() => server.close());
  const client = new OpenAI({ baseURL: server.url, apiKey: http?.apiKey ?? "none", maxRetries: 0 });
  return { live, server, url: server.url, origin: server.url.replace(/\/v1$/, ""), client, loggedErrors };
}

export const hello = { model: "default", messages: [{ role: "user" as const, content: "hello there" }] };

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method: "POST", body: text, headers: { "content-type": "application/json", ...headers } });
}

export interface ErrorObject {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
  readonly [more: string]: unknown;
}

export async function errorOf(response: Response): Promise<ErrorObject> {
  return ((await response.json()) as { error: ErrorObject }).error;
}
