/** The API's own document and page, and what each answer says of its wait. */
import { expect, it } from "vitest";
import { ask, serveScripted } from "./scripted-server";
import { post, startServer } from "./start-server";

it("the document holds every route with its methods and the schemas that read it", async () => {
  const { origin } = await startServer();
  const { openapi, paths } = await (await fetch(`${origin}/openapi.json`)).json();
  expect(openapi).toBe("3.1.0");
  expect(Object.keys(paths["/v1/workflows/{id}"])).toEqual(["get", "put", "delete"]);
  const { schema } = paths["/v1/workflows/{id}"].put.requestBody.content["application/json"];
  expect(schema.required).toEqual(["stages"]);
  expect(schema.properties.stages.items.properties.after).toBeDefined();
  expect(paths["/v1/decisions"].get.parameters).toMatchObject([{ name: "since", in: "query" }, { name: "limit" }]);
  expect(paths["/v1/requests/{id}/explain"].get.parameters).toMatchObject([{ name: "id", in: "path", required: true }]);
  for (const path of ["/v1/chat/completions", "/v1/responses", "/v1/messages"]) expect(paths[path].post).toBeDefined();
});

it("the page names the routes and loads nothing from elsewhere", async () => {
  const { origin } = await startServer();
  const page = await fetch(`${origin}/docs`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = await page.text();
  expect(text).toContain("<code>POST /v1/chat/completions</code>");
  expect(text).not.toMatch(/<script|https?:/);
});

it("an answer says how long it waited and what was in the cache", async () => {
  const { url } = await serveScripted({ slots: 1 });
  const first = await post(`${url}/chat/completions`, ask("a", 5));
  expect(Number(first.headers.get("x-topas-wait-ms"))).toBeGreaterThanOrEqual(0);
  expect(first.headers.get("x-topas-cached-tokens")).toBe("0");
  const second = await post(`${url}/chat/completions`, ask("b", 5));
  expect(Number(second.headers.get("x-topas-cached-tokens"))).toBeGreaterThan(60);
  const streamed = {
    model: "scripted",
    max_tokens: 4,
    stream: true,
    messages: [{ role: "user", content: "hi there" }],
  };
  for (const path of ["messages", "chat/completions"]) {
    const stream = await post(`${url}/${path}`, streamed);
    expect(Number(stream.headers.get("x-topas-wait-ms"))).toBeGreaterThanOrEqual(0);
    expect(stream.headers.has("x-topas-cached-tokens")).toBe(true);
    await stream.text();
  }
  expect((await post(`${url}/chat/completions`, {})).headers.has("x-topas-wait-ms")).toBe(false);
});
