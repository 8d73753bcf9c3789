/** The reported cases that depend neither on words nor on speed, on the built server with the noise model. The rest: run-cases.ts. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { freePort } from "../bench/served";
import { apiCases } from "./api-cases";
import { cacheCases } from "./cache-cases";
import { CaseServer } from "./case-server";
import { lifeCycleCases } from "./life-cycle-cases";
import { memoryCases } from "./memory-cases";

const ids = new Set(["D2", "D3", "D7", "D32", "D36", "no-model", "D38", "D40", "D41", "D42", "D44", "D45", "D46"]);
const cases = [...cacheCases, ...memoryCases, ...lifeCycleCases, ...apiCases].filter(({ id }) => ids.has(id));

it.each(cases)("$id: $title", async ({ setting, run }) => {
  const launch = { port: await freePort(), builtFolder: resolve("out/main") };
  const journal = join(mkdtempSync(join(tmpdir(), "topas-cases-")), "journal.jsonl");
  const server = await CaseServer.start({ ...launch, journal, model: "noise", ...setting });
  try {
    const { passed, figures } = await run(server, { launch, journal });
    expect({ passed, figures }).toMatchObject({ passed: true });
  } finally {
    await server.stop();
  }
});

it("finds every case it names", () => {
  expect(cases.map(({ id }) => id).sort()).toEqual([...ids].sort());
});
