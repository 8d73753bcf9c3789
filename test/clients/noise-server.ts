/** The noise server for all tests of one file. */
import { afterAll, beforeAll } from "vitest";
import { type NoiseOptions, type NoiseServer, startNoiseServer } from "./start-noise-server";

/** Starts it before the tests of this file and stops it after them. */
export function noiseServerForTests(options?: NoiseOptions): () => NoiseServer {
  let server: NoiseServer | null = null;
  beforeAll(async () => {
    server = await startNoiseServer(options);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === null) throw new Error("The server is there only while a test runs.");
    return server;
  };
}
