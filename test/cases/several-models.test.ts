/** The built server with several real model files: exchanged on demand, beside streams, and one model only if that is asked for. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { freePort } from "../bench/served";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { CaseServer } from "./case-server";
import { user } from "./words";

async function start(more: readonly string[] = []): Promise<CaseServer> {
  const home = temporaryFolder();
  const folder = join(home, "topas-desktop", "models");
  mkdirSync(folder, { recursive: true });
  for (const name of ["one", "two"]) await writeNoiseModel(join(folder, `${name}.gguf`), { size: "tiny" });
  const server = await CaseServer.start({
    ...{ port: await freePort(), builtFolder: resolve("out/main"), model: join(folder, "one.gguf"), more },
    environment: { XDG_DATA_HOME: home, APPDATA: home },
  });
  onTestFinished(() => server.stop());
  return server;
}

const call = (model: string, maxTokens = 20) => ({ messages: [user("hi")], maxTokens, fields: { model } });

describe("the server with several models", () => {
  it("exchanges them between requests that come at once, and loses none", async () => {
    const server = await start();
    const first = server.enginePid;
    const models = ["one", "two", "one", "two", "two", "one"];
    const results = await Promise.all(models.map((model) => server.chat(call(model))));
    expect(results.map(({ finish, error }) => finish ?? error)).toEqual(models.map(() => "length"));
    expect(server.enginePid).not.toBe(first);
    const { data } = await server.get<{ data: { id: string; status: { value: string } }[] }>("/v1/models");
    const state = (name: string) => data.find(({ id }) => id === name)?.status.value;
    expect([state("one"), state("two")].sort()).toEqual(["loaded", "unloaded"]);
  });

  it("serves one model only where that is asked for", async () => {
    const server = await start(["--single-model"]);
    const { status, error } = await server.chat(call("two"));
    expect([status, error]).toEqual([404, expect.stringContaining("Loaded is 'one'")]);
    const { data } = await server.get<{ data: { id: string }[] }>("/v1/models");
    expect(data.map(({ id }) => id)).toEqual(["one"]);
  });
});
