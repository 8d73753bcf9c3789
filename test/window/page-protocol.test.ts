import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CRASH_PAGE_URL } from "../../electron/window/page-address";
import { answerPageRequest } from "../../electron/window/page-protocol";

let around: string;
let folder: string;
const ask = (url: string, method = "GET") => answerPageRequest(new Request(url, { method }), folder);

beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), "topas-page-"));
  folder = join(around, "renderer");
  await mkdir(join(folder, "assets"), { recursive: true });
  await mkdir(join(around, "renderer-secret"));
  await writeFile(join(around, "secret.txt"), "secret");
  await writeFile(join(around, "renderer-secret", "secret.txt"), "secret");
  await writeFile(join(folder, "index.html"), "<p>page</p>");
  await writeFile(join(folder, "assets", "main.js"), "export {};");
});
afterAll(() => rm(around, { recursive: true }));

describe("the page's protocol", () => {
  test("serves the built files with their type and the page's rules", async () => {
    const page = await ask("app://ui/index.html");
    expect(await page.text()).toBe("<p>page</p>");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect((await ask("app://ui/assets/main.js")).headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  test.each([
    "app://ui/..%2fsecret.txt",
    "app://ui/assets/..%2f..%2fsecret.txt",
    "app://ui/..%2frenderer-secret/secret.txt",
    "app://ui/..%5csecret.txt",
    "app://ui/%2e%2e%2fsecret.txt",
    "app://ui/index.html%00",
    "app://ui/%zz",
    "app://ui/",
    "app://other/index.html",
  ])("refuses what leads out of the page's folder: %s", async (url) => {
    const answer = await ask(url);
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain("secret");
  });

  test("says 404 for a file that is not there and 405 for anything but reading", async () => {
    expect((await ask("app://ui/nothing.js")).status).toBe(404);
    expect((await ask("app://ui/assets")).status).toBe(404);
    expect((await ask("app://ui/index.html", "POST")).status).toBe(405);
  });

  test("has a page for the case that ours crashes, under the same rules", async () => {
    const page = await ask(CRASH_PAGE_URL);
    expect(await page.text()).toContain("crashed twice in a row");
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  });
});
