/** Lets web pages served from this machine use the endpoint; pages from elsewhere were refused before. */
import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import type { HostCheck } from "./host-check";

export async function registerCrossOrigin(app: FastifyInstance, hostCheck: HostCheck): Promise<void> {
  await app.register(cors, {
    origin: async (origin: string | undefined) => origin !== undefined && hostCheck.allowsOrigin(origin),
    methods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    exposedHeaders: ["x-request-id", "retry-after"],
    maxAge: 600,
    strictPreflight: false,
  });
}
