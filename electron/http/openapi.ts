/** `GET /openapi.json`: the document of this API, made from the routes there are and the schemas that read them; `GET /docs` shows it as a page. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { agentSchema } from "./agents/agents";
import { chatSchema } from "./chat/chat-body";
import { completionSchema } from "./completions/completion-body";
import { embeddingSchema } from "./embeddings";
import { decisionsQuery, requestsQuery } from "./past";
import { type DeclaredRoute, route, routesOf } from "./route";
import { detokenizeSchema, tokenizeSchema } from "./tokenize";
import { importSchema } from "./workflow/import-workflow";
import { workflowSchema } from "./workflow/workflow-body";

const bodies: Readonly<Record<string, z.ZodType>> = {
  "POST /v1/chat/completions": chatSchema,
  "POST /v1/completions": completionSchema,
  "POST /v1/embeddings": embeddingSchema,
  "POST /v1/tokenize": tokenizeSchema,
  "POST /v1/detokenize": detokenizeSchema,
  "PUT /v1/workflows/{id}": workflowSchema,
  "POST /v1/workflows/import": importSchema,
  "PUT /v1/agents/{name}": agentSchema,
};

const queries: Readonly<Record<string, z.ZodType>> = {
  "GET /v1/requests": requestsQuery,
  "GET /v1/decisions": decisionsQuery,
};

const summaries: Readonly<Record<string, string>> = {
  "POST /v1/chat/completions": "OpenAI's chat completions",
  "POST /v1/completions": "OpenAI's completions",
  "POST /v1/embeddings": "OpenAI's embeddings",
  "POST /v1/tokenize": "The tokens of a text, or of messages as the chat template writes them",
  "POST /v1/detokenize": "The text of tokens",
  "POST /v1/responses": "OpenAI's Responses",
  "POST /v1/messages": "Anthropic's Messages",
  "POST /v1/messages/count_tokens": "The tokens that Messages would read",
  "GET /v1/models": "The loaded model",
  "GET /health": "Whether the engine answers",
  "GET /metrics": "Counts for Prometheus",
  "GET /v1/requests": "Requests that are open or among the last 1,000, newest first",
  "GET /v1/requests/{id}/explain":
    "How long a request waited and why, what was reused, and where its prompt left the nearest known one",
  "GET /v1/recording": "What is kept of this run, packed, as the window opens it",
  "GET /v1/trace.json": "The same as a Chrome trace for ui.perfetto.dev",
  "GET /v1/queue": "Who waits, in order, and why",
  "GET /v1/residency": "What each slot holds, and what was pushed out",
  "GET /v1/decisions": "Decisions after a number, oldest first",
  "GET /v1/decisions/{number}": "One decision as it was made",
  "GET /v1/decisions/{number}/inspect": "One decision taken apart",
  "PUT /v1/workflows/{id}": "Declares a workflow",
  "DELETE /v1/workflows/{id}": "Withdraws a workflow",
  "POST /v1/workflows/import": "Declares a workflow from CrewAI's tasks.yaml or LangGraph's graph",
  "PUT /v1/agents/{name}": "Names an agent and makes its API key",
  "DELETE /v1/agents/{name}": "Deletes a named agent and its key",
};

export function registerOpenApi(app: FastifyInstance): void {
  route(app, "/openapi.json", { get: async () => openApiDocument(routesOf(app)) });
  route(app, "/docs", {
    get: async (_request, reply) =>
      reply
        .type("text/html; charset=utf-8")
        .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
        .send(docsPage(routesOf(app))),
  });
}

function openApiDocument(routes: readonly DeclaredRoute[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of routes) {
    const path = templateOf(each.url);
    paths[path] = Object.fromEntries(each.methods.map((method) => [method.toLowerCase(), operation(method, path)]));
  }
  return {
    openapi: "3.1.0",
    info: { title: "TOPAS Desktop", version: "1", description: "A local server for a language model and many agents." },
    servers: [{ url: "/" }],
    security: [{}, { bearer: [] }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } }, schemas: { Error: errorSchema } },
    paths,
  };
}

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "param", "code"],
      properties: {
        message: { type: "string" },
        type: { type: "string" },
        param: { type: ["string", "null"] },
        code: { type: "string" },
      },
    },
  },
};

function operation(method: string, path: string): object {
  const key = `${method} ${path}`;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
  }));
  const reads = method === "POST" || method === "PUT" || method === "PATCH";
  const body = bodies[key];
  const schema = body === undefined ? { type: "object" } : jsonSchema(body);
  return {
    summary: summaries[key] ?? key,
    parameters: [...named, ...queryParameters(queries[key])],
    ...(reads && { requestBody: { required: body !== undefined, content: { "application/json": { schema } } } }),
    responses: {
      200: { description: "It worked." },
      default: {
        description: "It did not; the message says why.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function queryParameters(query: z.ZodType | undefined): object[] {
  const properties = query === undefined ? {} : (jsonSchema(query).properties ?? {});
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}

/** What clients may send, before it is read. */
function jsonSchema(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

/** `:id` and the wildcard of model ids as OpenAPI writes them. */
function templateOf(url: string): string {
  return url.replace(/:(\w+)/g, "{$1}").replace("*", "{model}");
}

function docsPage(routes: readonly DeclaredRoute[]): string {
  const rows = routes.flatMap(({ url, methods }) =>
    methods.map((method) => {
      const path = templateOf(url);
      return `<tr><td><code>${method} ${path}</code></td><td>${summaries[`${method} ${path}`] ?? ""}</td></tr>`;
    }),
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>TOPAS Desktop: API</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}td{padding:.2rem 1rem .2rem 0;vertical-align:top}</style>
<h1>TOPAS Desktop: API</h1>
<p>The base URL for OpenAI's clients ends in <code>/v1</code>. The whole document: <a href="/openapi.json">openapi.json</a>.</p>
<table>${rows.join("\n")}</table></html>
`;
}
