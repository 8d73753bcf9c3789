/** CompatCanary's probes of what a server that calls itself compatible really does. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { noiseServerForTests } from "./noise-server";

const server = noiseServerForTests({ ends: true });
const program = path.join(path.dirname(createRequire(import.meta.url).resolve("compatcanary")), "cli.js");

interface Report {
  readonly results: readonly { readonly id: string; readonly status: string }[];
}

// The model's words are chance: an answer may be empty, which one probe does not take.
it("every probe of the modern profile passes", { retry: 2 }, async () => {
  const url = `${server().origin}/v1`;
  const models = (await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] };
  const asked = ["--base-url", url, "--model", models.data[0]?.id ?? "", "--profile", "modern", "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, [program, "scan", ...asked, "--fail-on", "never"]);
  const { results } = JSON.parse(stdout) as Report;
  expect(results.filter(({ status }) => status !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(7);
});
