import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findTestElectron, PROJECT_FOLDER } from "../../electron/setup/find-electron.mjs";
import { temporaryFolder } from "../catalogue/temporary-folder";

function runScript(script: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, [path.join(PROJECT_FOLDER, script), ...args], { encoding: "utf8", env });
}

describe("npm start", () => {
  it.runIf(process.platform === "linux")("without a display says so in one line and names npm run serve", () => {
    const { status, stdout, stderr } = runScript("electron/setup/start.mjs", [], { DISPLAY: "", WAYLAND_DISPLAY: "" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^There is no display [^\n]*npm run serve\n$/);
  });
});

describe("the preparation", () => {
  it("leaves an Electron for the window's test", () => {
    const executable = findTestElectron();
    expect(executable).not.toBeNull();
    expect(existsSync(executable ?? "")).toBe(true);
  });

  it("says how it is called when it is asked for something else", () => {
    const { status, stderr } = runScript("electron/setup/prepare.mjs", ["everything"]);
    expect(status).toBe(2);
    expect(stderr).toContain("usage: node electron/setup/prepare.mjs test|window|model");
  });
});

describe("the last line of CI", () => {
  const test = (status: string) => ({ status });

  it.each([
    ["counts what passed", { numPassedTests: 5, numFailedTests: 0, testResults: [] }, "0", "5 passed, 0 failed", 0],
    ["counts what failed", { numPassedTests: 4, numFailedTests: 1, testResults: [] }, "1", "4 passed, 1 failed", 1],
    [
      "counts a file that could not be loaded",
      { numPassedTests: 5, numFailedTests: 0, testResults: [{ status: "failed", assertionResults: [] }] },
      "1",
      "5 passed, 1 failed",
      1,
    ],
    [
      "counts a failed test once",
      {
        numPassedTests: 1,
        numFailedTests: 1,
        testResults: [{ status: "failed", assertionResults: [test("passed"), test("failed")] }],
      },
      "1",
      "1 passed, 1 failed",
      1,
    ],
    [
      "fails when types or lint failed",
      { numPassedTests: 5, numFailedTests: 0, testResults: [] },
      "1",
      "5 passed, 1 failed",
      1,
    ],
    ["fails when no test ran", { numPassedTests: 0, numFailedTests: 0, testResults: [] }, "0", "0 passed, 1 failed", 1],
  ])("%s", (_, report, problems, line, code) => {
    const file = path.join(temporaryFolder(), "report.json");
    writeFileSync(file, JSON.stringify(report));
    const { status, stdout } = runScript(".ci/summary.mjs", [file, problems]);
    expect({ status, stdout }).toEqual({ status: code, stdout: `${line}\n` });
  });

  it("fails when there is no report", () => {
    const { status, stdout } = runScript(".ci/summary.mjs", [path.join(temporaryFolder(), "none.json"), "1"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "0 passed, 1 failed\n" });
  });
});
