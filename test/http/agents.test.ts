/** Named agents: their keys say who calls, are kept as hashes only, and open no more than they should. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hello, post, startServer } from "./start-server";

function temporaryFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "agents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "agents.json");
}

function put(url: string, name: string, body: object = {}, key = "none"): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  return fetch(`${url}/agents/${name}`, { method: "PUT", body: JSON.stringify(body), headers });
}

it("a key names the agent and its workflow, in both headers; a header says more", async () => {
  const { live, url } = await startServer({ answers: ["ok"] });
  const made = (await (await put(url, "planner", { workflow: "crew" })).json()) as { key: string };
  expect(made).toMatchObject({ object: "agent", name: "planner", workflow: "crew" });
  expect(made.key).toMatch(/^sk-local-[\w-]{32}$/);
  await post(`${url}/chat/completions`, hello, { authorization: `Bearer ${made.key}` });
  await post(`${url}/chat/completions`, hello, { "x-api-key": made.key, "x-agent": "me" });
  await post(`${url}/chat/completions`, hello, { "x-api-key": "another" });
  expect(live.requests.map(({ spec }) => [spec.agent, spec.workflowId])).toEqual([
    ["planner", "crew"],
    ["me", "crew"],
    ["chat", null],
  ]);
});

it("an agent's key opens a locked server, but not the making of keys; deleted it opens nothing", async () => {
  const { url } = await startServer({ answers: ["ok"], http: { apiKey: "master" } });
  expect((await put(url, "planner")).status).toBe(401);
  const { key } = (await (await put(url, "planner", {}, "master")).json()) as { key: string };
  const status = async () => (await post(`${url}/chat/completions`, hello, { "x-api-key": key })).status;
  expect(await status()).toBe(200);
  expect((await put(url, "other", {}, key)).status).toBe(401);
  const headers = { authorization: "Bearer master" };
  const shown = await (await fetch(`${url}/agents`, { headers })).text();
  expect(JSON.parse(shown)).toMatchObject({ object: "list", data: [{ name: "planner", workflow: null }] });
  expect(shown).not.toContain(key);
  expect((await fetch(`${url}/agents/planner`, { method: "DELETE", headers })).status).toBe(200);
  expect(await status()).toBe(401);
  expect((await fetch(`${url}/agents/planner`, { headers })).status).toBe(404);
});

it("keeps only hashes on disk, and knows the keys after a restart", async () => {
  const agentsFile = temporaryFile();
  const first = await startServer({ http: { agentsFile } });
  const { key } = (await (await put(first.url, "planner")).json()) as { key: string };
  expect(readFileSync(agentsFile, "utf8")).not.toContain(key);
  expect(statSync(agentsFile).mode & 0o077).toBe(0);
  const second = await startServer({ answers: ["ok"], http: { agentsFile } });
  await post(`${second.url}/chat/completions`, hello, { "x-api-key": key });
  expect(second.live.requests[0]?.spec.agent).toBe("planner");
  writeFileSync(agentsFile, "{");
  await expect(startServer({ http: { agentsFile } })).rejects.toThrow(/cannot be read/);
});

it("refuses wrong names and bodies", async () => {
  const { url } = await startServer();
  expect((await put(url, "%20x")).status).toBe(400);
  expect((await put(url, "x", { workflow: 7 })).status).toBe(400);
});
