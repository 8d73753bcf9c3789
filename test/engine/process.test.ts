import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, open, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EngineLost, type EngineOptions, ModelRefused } from "../../core/contract/engine";
import { spawnChildProcess } from "../../native-models/process/spawn-child-process";
import { engineStarter } from "../../native-models/process/start-engine";
import { evaluate, generate, openRequest, prefill } from "../support/drive-engine";
import {
  ENGINE_ENTRY,
  modelFolderForTests,
  noiseOptions,
  recordingObserver,
  spawnEngine,
  startEngine,
} from "../support/noise-engine";

const models = modelFolderForTests();

describe("the engine's process", () => {
  test("when it is killed, what waits is told so and the loss is reported once", async () => {
    const observer = recordingObserver();
    const engine = await startEngine(noiseOptions(models().modelPath), observer);
    const { tokens } = await engine.encode({ kind: "text", text: "a long prompt ".repeat(60) });
    openRequest(engine, "a");
    const running = prefill(engine, { requestId: "a", slot: 0, prompt: tokens.slice(0, 400) });
    process.kill(engine.description.processId, "SIGKILL");
    await expect(running).rejects.toBeInstanceOf(EngineLost);
    await expect(engine.encode({ kind: "text", text: "hello" })).rejects.toBeInstanceOf(EngineLost);
    await expect(evaluate(engine, { operations: [], work: [] })).rejects.toBeInstanceOf(EngineLost);
    await engine.shutdown();
    expect(observer.losses).toHaveLength(1);
    expect(observer.losses[0]).toContain("signal SIGKILL");
  });

  test("when it is shut down, that is no loss", async () => {
    const observer = recordingObserver();
    const engine = await startEngine(noiseOptions(models().modelPath), observer);
    await engine.shutdown();
    expect(isAlive(engine.description.processId)).toBe(false);
    expect(observer.losses).toEqual([]);
  });

  test("when it is stopped it is reported as stalled, and as well again when it goes on", async () => {
    const observer = recordingObserver();
    const engine = await engineStarter(spawnEngine, { stalledAfterMs: 1500 })(
      noiseOptions(models().modelPath),
      observer,
    );
    const { processId } = engine.description;
    const stalled = observer.next();
    process.kill(processId, "SIGSTOP");
    await stalled;
    expect(observer.stalls).toEqual([true]);
    const wellAgain = observer.next();
    process.kill(processId, "SIGCONT");
    await wellAgain;
    expect(observer.stalls).toEqual([true, false]);
    await engine.shutdown();
    expect(observer.losses).toEqual([]);
  });

  test("when it ends while it loads, the start fails with what happened", async () => {
    const observer = recordingObserver();
    const starting = engineStarter(() => {
      const started = spawnEngine();
      started.onMessage(() => started.kill());
      return started;
    })(noiseOptions(models().modelPath), observer);
    await expect(starting).rejects.toBeInstanceOf(EngineLost);
    expect(observer.losses).toEqual([]);
  });

  test("what it prints reaches the log, and its last words the reason of the loss", async () => {
    const observer = recordingObserver();
    const notAnEngine = path.join(models().folder, "not-an-engine.mjs");
    await writeFile(
      notAnEngine,
      'process.stderr.write("ggml.c:1: GGML_ASSERT(false) failed\\n", () => process.abort());',
    );
    const starting = engineStarter(spawnChildProcess(notAnEngine))(noiseOptions(models().modelPath), observer);
    await expect(starting).rejects.toThrow(/signal SIGABRT.*GGML_ASSERT\(false\) failed/);
    expect(observer.lines).toContain("ggml.c:1: GGML_ASSERT(false) failed");
  });

  test("it draws the same tokens with one worker thread of Node's and with several", async () => {
    const answersWith = async (startWith: typeof startEngine) => {
      const engine = await startWith(noiseOptions(models().modelPath), recordingObserver());
      const { tokens: prompt } = await engine.encode({ kind: "text", text: "the crew reads on ".repeat(12) });
      openRequest(engine, "a");
      const answers = await generate(engine, { requestId: "a", slot: 0, prompt, steps: 200 });
      await engine.shutdown();
      return answers.map(({ token }) => token);
    };
    const answers = await answersWith(startEngine);
    expect(answers.length).toBeGreaterThan(100);
    const several = spawnChildProcess(ENGINE_ENTRY, { UV_THREADPOOL_SIZE: "4" });
    expect(await answersWith(engineStarter(several))).toEqual(answers);
  });

  test("it ends when its owner is killed", async () => {
    const { owner, engineProcessId } = await startOwner(noiseOptions(models().modelPath));
    expect(isAlive(engineProcessId)).toBe(true);
    owner.kill("SIGKILL");
    await expect.poll(() => isAlive(engineProcessId), { timeout: 5000, interval: 50 }).toBe(false);
  });
});

describe("a model that cannot be loaded is refused in plain words", () => {
  const refusal = async (options: Partial<EngineOptions>): Promise<ModelRefused> => {
    const observer = recordingObserver();
    const error = await startEngine({ ...noiseOptions(models().modelPath), ...options }, observer).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(ModelRefused);
    expect(error.whatToDo).not.toBe("");
    expect(observer.losses).toEqual([]);
    return error;
  };

  test("a file that is not there", async () => {
    const modelPath = path.join(models().folder, "nowhere.gguf");
    const { message } = await refusal({ modelPath });
    expect(message).toBe(`There is no file ${modelPath}.`);
  });

  test("a file that is cut off in its weights, or in its header", async () => {
    const modelPath = path.join(models().folder, "cut.gguf");
    await copyFile(models().modelPath, modelPath);
    const { length } = await readFile(modelPath);
    await truncate(modelPath, length - 1000);
    expect((await refusal({ modelPath })).message).toContain(
      `is cut off: it has ${(length - 1000).toLocaleString("en-US")} of at least ${length.toLocaleString("en-US")} bytes.`,
    );
    await truncate(modelPath, 300);
    expect((await refusal({ modelPath })).message).toContain("cut off");
  });

  test("a file that is something else, or nothing", async () => {
    const modelPath = path.join(models().folder, "letter.gguf");
    await writeFile(modelPath, "Dear reader, this is a letter and not a model.");
    expect((await refusal({ modelPath })).message).toContain("is not a GGUF model");
    await (await open(modelPath, "w")).close();
    expect((await refusal({ modelPath })).message).toContain("is cut off: it ends inside its header, after 0 bytes.");
    expect((await refusal({ modelPath: models().folder })).message).toContain("is not a file");
  });

  test("an architecture that llama.cpp does not know, by its name", async () => {
    const modelPath = path.join(models().folder, "unknown.gguf");
    const bytes = (await readFile(models().modelPath)).toString("latin1").replaceAll("llama", "lorem");
    await writeFile(modelPath, bytes, "latin1");
    const { message } = await refusal({ modelPath });
    expect(message).toBe(`This llama.cpp does not know the architecture "lorem" of ${modelPath}.`);
  });

  test("slots that this machine's memory cannot hold, with the numbers", async () => {
    const { message, whatToDo } = await refusal({ slots: 64, slotTokens: 8192, modelPath: await hungryModel() });
    expect(message).toMatch(/64 slots of 8,192 tokens need [\d,]+ MB .* only [\d,]+ MB are free/);
    expect(whatToDo).toContain("--context");
  });

  test("a slot longer than the model was trained for", async () => {
    const { message, whatToDo } = await refusal({ slotTokens: 1_000_000 });
    expect(message).toContain("1,000,000 tokens was asked for, this model was trained for 8,192");
    expect(whatToDo).toContain("--context 8192");
  });

  test("graphics that this machine does not have", async () => {
    const { message, whatToDo } = await refusal({ gpu: process.platform === "darwin" ? "cuda" : "metal" });
    expect(message).toContain("cannot use");
    expect(whatToDo).toContain("--gpu auto");
  });

  /** The same model, whose header claims keys and values so wide that no machine holds 64 slots of them. */
  async function hungryModel(): Promise<string> {
    const modelPath = path.join(models().folder, "hungry.gguf");
    const bytes = await readFile(models().modelPath);
    const key = Buffer.from("llama.attention.head_count_kv");
    const at = bytes.indexOf(key) + key.length + 4;
    expect(at).toBeGreaterThan(key.length + 4);
    bytes.writeUInt32LE(1_000_000, at);
    await writeFile(modelPath, bytes);
    return modelPath;
  }
});

/**
 * A process that owns an engine, as a server would, and prints the engine's process id when the model is loaded, else why
 * it is not.
 */
async function startOwner(options: EngineOptions): Promise<{ owner: ChildProcess; engineProcessId: number }> {
  const script = `
    import { fork } from "node:child_process";
    const engine = fork(${JSON.stringify(ENGINE_ENTRY)}, [], { serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"] });
    engine.on("message", (message) => {
      if (message.kind === "started") engine.send({ kind: "load", options: ${JSON.stringify(options)}, parentProcessId: process.pid });
      if (message.kind === "loaded") console.log(engine.pid);
      if (message.kind === "load_failed" || message.kind === "load_refused") console.log(message.message);
    });
    engine.on("exit", () => console.log("The engine ended."));`;
  const scriptPath = path.join(models().folder, "owner.mjs");
  await writeFile(scriptPath, script);
  const owner = spawn(process.execPath, [scriptPath], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(owner.stdout, "data");
  const engineProcessId = Number(String(line).split("\n")[0]);
  if (engineProcessId > 0) return { owner, engineProcessId };
  owner.kill("SIGKILL");
  throw new Error(`The owner's engine did not load: ${line}`);
}

/** A process that has ended but was not yet collected by its parent counts as ended. */
function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    const stat = process.platform === "linux" ? readFileSync(`/proc/${processId}/stat`, "utf8") : "";
    return !/\) Z /.test(stat);
  } catch {
    return false;
  }
}
