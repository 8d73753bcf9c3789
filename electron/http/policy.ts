/** `GET /v1/policy` shows the scheduling policy in force, `PUT` changes it while requests run. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { policyNames } from "../../core/policies/policies";
import { fieldError } from "./field-error";
import type { HttpContext } from "./http-context";
import { route } from "./route";

const schema = z.object({ policy: z.enum(policyNames, `choose one of ${policyNames.join(", ")}`) });

export function registerPolicy(app: FastifyInstance, { live }: HttpContext): void {
  route(app, "/v1/policy", {
    get: async () => ({ object: "policy", policy: live.view.policy }),
    put: async (request) => {
      const read = schema.safeParse(request.body);
      if (!read.success) throw fieldError(read.error.issues, request.body);
      live.choosePolicy(read.data.policy);
      return { object: "policy", policy: read.data.policy };
    },
  });
}
