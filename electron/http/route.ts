/** Declares one URL with the methods it has; every other method is answered 405 with `Allow`. */
import type { FastifyInstance, RouteHandlerMethod } from "fastify";
import { ApiError } from "./api-error";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export type Handlers = Partial<Record<Lowercase<(typeof methods)[number]>, RouteHandlerMethod>>;

export interface DeclaredRoute {
  readonly url: string;
  readonly methods: readonly string[];
}

const declared = new WeakMap<FastifyInstance, DeclaredRoute[]>();

/** In the order in which they were declared. */
export function routesOf(app: FastifyInstance): readonly DeclaredRoute[] {
  return declared.get(app) ?? [];
}

export function route(app: FastifyInstance, url: string, handlers: Handlers): void {
  const allowed: string[] = [];
  for (const method of methods) {
    const handler = handlers[method.toLowerCase() as Lowercase<typeof method>];
    if (!handler) continue;
    app.route({ method, url, handler });
    // Fastify answers HEAD wherever it answers GET.
    allowed.push(method, ...(method === "GET" ? ["HEAD"] : []));
  }
  const own = methods.filter((method) => allowed.includes(method));
  declared.set(app, [...routesOf(app), { url, methods: own }]);
  const refused = [...methods, "HEAD"].filter((method) => !allowed.includes(method));
  app.route({
    method: refused,
    url,
    // Before the body is read: nothing in it can matter.
    onRequest: async (request) => {
      const message = `${request.method} is not possible here, only ${allowed.join(", ")}.`;
      throw new ApiError("method_not_allowed", message, { headers: { allow: allowed.join(", ") } });
    },
    handler: async () => null,
  });
}
