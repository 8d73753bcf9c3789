/** The built server at its end, as a process: a signal drains it, a second one tells the clients and ends it. */
import { once } from "node:events";
import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../bench/served";
import { CaseServer, isAlive, isListening, pause } from "./case-server";
import { user } from "./words";

async function start(drainS: number): Promise<CaseServer> {
  const server = await CaseServer.start({
    port: await freePort(),
    builtFolder: resolve("out/main"),
    model: "noise",
    drainS,
  });
  onTestFinished(() => server.stop());
  return server;
}

describe("the server as a process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("finishes what is open after a %s and ends with code 0", async (signal) => {
    const server = await start(60);
    const answer = server.chat({ messages: [user("Tell me a story.")], maxTokens: 800 });
    await server.until(
      () => server.health(),
      ({ requests_running }) => requests_running === 1,
    );
    const ended = once(server.process, "close");
    server.process.kill(signal);
    const { finish, error, usage } = await answer;
    expect({ finish, error, tokens: usage?.completion_tokens }).toEqual({ finish: "length", error: null, tokens: 800 });
    expect(await ended).toEqual([0, null]);
    expect(server.printed).toContain("Open requests: 1. They may finish within 60 s.");
    expect(await isListening(server.port)).toBe(false);
  });

  it("tells the clients and ends at once after a second signal", async () => {
    const server = await start(600);
    const { enginePid } = server;
    const answer = server.chat({ messages: [user("Tell me a story.")], maxTokens: 2000 });
    await server.until(
      () => server.health(),
      ({ requests_running }) => requests_running === 1,
    );
    const ended = once(server.process, "close");
    server.process.kill("SIGTERM");
    await server.until(
      () => server.health(),
      ({ status }) => status === "draining",
    );
    await pause(400);
    server.process.kill("SIGTERM");
    expect((await answer).error).toContain("The server is closing.");
    expect(await ended).toEqual([0, null]);
    expect(isAlive(enginePid)).toBe(false);
  });
});
