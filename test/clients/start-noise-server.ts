/** The built headless server with a tiny noise model, for tests and scenarios: what a client program meets, but for the words. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { freePort } from "../bench/served";
import { CaseServer } from "../cases/case-server";

/** Built by `npm test` before the tests run. */
const builtFolder = fileURLToPath(new URL("../../out/main", import.meta.url));

export interface NoiseServer {
  /** Without a path. */
  readonly origin: string;
  stop(): Promise<void>;
}

export interface NoiseOptions {
  /** Its answers, and the texts in them, end by themselves, within some ten tokens. */
  readonly ends?: boolean;
}

export async function startNoiseServer({ ends = false }: NoiseOptions = {}): Promise<NoiseServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "topas-clients-"));
  const model = path.join(folder, "noise.gguf");
  await writeNoiseModel(model, { size: "tiny", ...(ends && { endOfSequenceWeight: 3, quoteWeight: 3 }) });
  const port = await freePort();
  const server = await CaseServer.start({ port, builtFolder, model, slots: 4, context: 4096 });
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
