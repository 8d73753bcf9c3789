/**
 * `/ui`: the window's page for a browser, so that a machine without a screen can be watched. The same page, the same messages and
 * the same checked commands as in the window. Only the page itself may use what is behind it, never a page from elsewhere.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { WindowApp } from "../ipc/window-app";
import { savedFileName } from "../live/saved-file-name";
import { PAGE_ORIGIN } from "../window/page-address";
import { answerPageRequest } from "../window/page-protocol";
import { keyPage } from "./key-page";
import { WebKey } from "./web-key";
import { WebSession } from "./web-session";

export interface WebUiOptions {
  readonly app: WindowApp;
  /** Folder with the page as built. */
  readonly pageFolder: string;
  readonly apiKey: string | null;
}

/** Open pages; each holds a connection and a feed. */
const sessionsMax = 16;
const nameCharactersMax = 255;

const sessionQuery = z.object({ session: z.string() });
const uploadQuery = z.object({ session: z.string(), name: z.string().min(1).max(nameCharactersMax) });
const confirmBody = z.object({ session: z.string(), sent: z.number() });
const commandBody = z.object({ session: z.string(), arguments: z.array(z.unknown()) });

export function registerWebUi(server: FastifyInstance, { app, pageFolder, apiKey }: WebUiOptions): void {
  const key = new WebKey(apiKey);
  const sessions = new Map<string, WebSession>();

  server.addHook("preClose", async () => {
    await Promise.all([...sessions.values()].map((session) => session.close()));
  });

  void server.register(async (scope) => {
    scope.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
    scope.addHook("onRequest", async (request, reply) => check(request, reply, key));

    scope.get("/ui", async (_request, reply) => reply.redirect("/ui/", 308));
    scope.get("/ui/*", async (request, reply) => sendPage(request, reply, pageFolder));

    scope.get("/ui/feed", async (request, reply) => {
      if (sessions.size >= sessionsMax)
        return reply.code(503).send(`${sessionsMax} pages are open, which is the limit. Close one of them.`);
      reply.hijack();
      reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      const session = new WebSession(app, reply.raw);
      sessions.set(session.id, session);
      request.raw.on("close", () => {
        sessions.delete(session.id);
        void session.close();
      });
    });
    scope.post("/ui/confirm", async (request, reply) => {
      const { session, sent } = read(confirmBody, request.body);
      sessions.get(session)?.confirm(sent);
      return reply.code(204).send();
    });
    scope.post<{ Params: { name: string } }>("/ui/commands/:name", async (request, reply) => {
      const { session, arguments: values } = read(commandBody, request.body);
      const result = sessions.get(session)?.run(request.params.name, values);
      return result === undefined ? gone(reply) : reply.send(JSON.stringify(await result));
    });
    scope.post("/ui/recordings", async (request, reply) => {
      const { session, name } = read(uploadQuery, request.query);
      const page = sessions.get(session);
      if (page === undefined) return gone(reply);
      return page.open(name, request.body as Readable).then(
        () => ({ ok: true }),
        (cause: unknown) => ({ ok: false, message: cause instanceof Error ? cause.message : String(cause) }),
      );
    });
    scope.get("/ui/recording", async (_request, reply) =>
      asFile(reply, "topas.jsonl.gz", "application/gzip").send(await app.recording()),
    );
    scope.get("/ui/trace.json", async (request, reply) => {
      const page = sessions.get(read(sessionQuery, request.query).session);
      if (page === undefined) return gone(reply);
      return asFile(reply, "trace.json", "application/json").send(Readable.from(page.page.trace()));
    });
  });
}

/** The host was checked before. Browsers say themselves whether a request comes from the page that it goes to. */
async function check(request: FastifyRequest, reply: FastifyReply, key: WebKey): Promise<unknown> {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && !(site === "none" && request.method === "GET"))
    return reply.code(403).type("text/plain; charset=utf-8").send("Only the page at /ui may use this.\n");
  if (key.lets(request)) return;
  const { key: given } = request.query as { key?: unknown };
  const cookie = typeof given === "string" ? key.cookieFor(given) : null;
  if (cookie !== null) return reply.header("set-cookie", cookie).redirect("/ui/", 303);
  return reply
    .code(401)
    .headers(keyPage.headers)
    .send(keyPage.body(given !== undefined));
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, pageFolder: string): Promise<FastifyReply> {
  const path = (request.url.split("?", 1)[0] ?? "").slice("/ui".length);
  const answer = await answerPageRequest(
    new Request(`${PAGE_ORIGIN}${path === "/" ? "/index.html" : path}`),
    pageFolder,
  );
  reply.code(answer.status).headers(Object.fromEntries(answer.headers));
  return reply.send(Buffer.from(await answer.arrayBuffer()));
}

function read<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const message = `The page sent what makes no sense: ${z.prettifyError(parsed.error)}`;
  throw Object.assign(new Error(message), { statusCode: 400 });
}

function gone(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .send({ ok: false, message: "This page has lost its connection to the server. Load it again." });
}

function asFile(reply: FastifyReply, ending: string, type: string): FastifyReply {
  return reply.type(type).header("content-disposition", `attachment; filename="${savedFileName(ending)}"`);
}
