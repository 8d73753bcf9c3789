/** `/v1/responses/{id}`: retrieve, delete, cancel, and the list of its input items. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../api-error";
import { route } from "../route";
import type { BackgroundResponses } from "./background";
import { listItems } from "./item-list";
import type { ResponseStore, StoredResponse } from "./response-store";

export function registerStoredResponses(
  app: FastifyInstance,
  store: ResponseStore,
  background: BackgroundResponses,
): void {
  route(app, "/v1/responses/:id", {
    get: async (request) => {
      if ((request.query as { stream?: string }).stream === "true") {
        const message = "A stored response cannot be streamed again. Leave 'stream' out.";
        throw new ApiError("unsupported_parameter", message, { param: "stream" });
      }
      return find(store, request).response;
    },
    delete: async (request) => {
      const { id } = find(store, request).response;
      background.cancel(id);
      store.delete(id);
      return { id, object: "response", deleted: true };
    },
  });
  route(app, "/v1/responses/:id/cancel", {
    post: async (request) => {
      const { response } = find(store, request);
      if (response.background !== true) {
        const message =
          "Only a response with 'background' can be cancelled. To cancel another one, close its connection.";
        throw new ApiError("bad_request", message);
      }
      background.cancel(response.id);
      return find(store, request).response;
    },
  });
  route(app, "/v1/responses/:id/input_items", {
    get: async (request) => listItems(find(store, request).input, request.query as Record<string, unknown>),
  });
}

function find(store: ResponseStore, request: FastifyRequest): StoredResponse {
  const { id } = request.params as { id: string };
  const stored = store.get(id);
  if (stored !== null) return stored;
  throw new ApiError("response_not_found", `Response with id '${id}' not found.`);
}
