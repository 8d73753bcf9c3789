import { describe, expect, test } from "vitest";
import { policyNames } from "../../core/policies/policies";
import { OptionsEnded, parseServerOptions } from "../../electron/app/options";

function ending(argv: readonly string[]): OptionsEnded {
  try {
    parseServerOptions(argv);
  } catch (cause) {
    if (cause instanceof OptionsEnded) return cause;
    throw cause;
  }
  throw new Error("These options were taken.");
}

describe("the server's options", () => {
  test("have a value for everything that is not given", () => {
    expect(parseServerOptions([])).toEqual({
      modelPath: null,
      slots: 4,
      contextTokens: 2048,
      policy: "topas",
      queueMax: 512,
      drainS: 10,
      manyModels: true,
      idleUnloadMin: null,
      port: 8642,
      host: "127.0.0.1",
      apiKey: null,
      agentsFile: null,
      gpu: "auto",
      threads: "auto",
      journal: null,
      keptJournalBytes: 256 * 1024 ** 2,
      journalTexts: false,
    });
  });

  test("are read as given", () => {
    const argv =
      "--model a.gguf --slots 8 --context 4096 --policy fcfs --port 0 --host ::1 --gpu cpu --threads 2".split(" ");
    expect(
      parseServerOptions([
        ...argv,
        "--api-key",
        "secret",
        "--journal",
        "j.ndjson",
        "--journal-mib",
        "0",
        "--journal-texts",
        ...["--queue", "9", "--drain", "0", "--single-model", "--idle-unload", "5"],
      ]),
    ).toEqual({
      modelPath: "a.gguf",
      slots: 8,
      contextTokens: 4096,
      policy: "fcfs",
      queueMax: 9,
      drainS: 0,
      manyModels: false,
      idleUnloadMin: 5,
      port: 0,
      host: "::1",
      apiKey: "secret",
      agentsFile: null,
      gpu: "cpu",
      threads: 2,
      journal: "j.ndjson",
      keptJournalBytes: 0,
      journalTexts: true,
    });
  });

  test.each([
    [["--slots", "0"], "--slots must be a whole number from 1 to 64."],
    [["--slots", "two"], "--slots must be a whole number from 1 to 64."],
    [["--port", "70000"], "--port must be a whole number from 0 to 65535."],
    [["--context", "1e3"], "--context must be a whole number"],
    [["--queue", "0"], "--queue must be a whole number from 1 to 100000."],
    [["--drain", "-1"], "--drain must be a whole number from 0 to 86400."],
    [["--threads", "0"], "--threads must be a whole number from 1 to 256."],
    [["--policy", "lru"], `Allowed choices are ${policyNames.join(", ")}.`],
    [["--api-key", ""], "--api-key must not be empty."],
    [["--port"], "argument missing."],
    [["--slot", "4"], "Did you mean --slots?"],
    [["model.gguf"], "too many arguments."],
  ])("that are wrong (%j) end the program with one clear line and code 2", (argv, words) => {
    const { message, exitCode } = ending(argv);
    expect(message).toContain(words);
    expect(message).not.toContain("\n");
    expect(exitCode).toBe(2);
  });

  test("are explained by --help, which is no failure", () => {
    const { message, exitCode } = ending(["--help"]);
    for (const option of ["--model", "--slots", "--context", "--policy", "--port", "--host", "--api-key"]) {
      expect(message).toContain(option);
    }
    expect(exitCode).toBe(0);
  });

  test("stand between Chromium's own flags when there is a window", () => {
    const argv = ["--inspect=0", "--no-sandbox", "/app", "--slots", "2", "--disable-gpu", "--host-rules=x"];
    expect(parseServerOptions(argv, "ignored")).toMatchObject({ slots: 2, host: "127.0.0.1", modelPath: null });
  });
});
