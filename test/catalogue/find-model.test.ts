import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type FindModelOptions, findModel } from "../../native-models/catalogue/find-model";
import { encodeGguf } from "../../native-models/catalogue/gguf-writer";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { STARTER_MODEL, type StarterModel } from "../../native-models/catalogue/starter";
import { writeFakePython } from "./fake-python";
import { closedAddress, serveFile, sha256 } from "./file-server";
import { temporaryFolder } from "./temporary-folder";

/** Small, whole, and not marked as noise. */
const realModel = encodeGguf({ "general.architecture": { kind: "string", value: "llama" } }, [
  { name: "token_embd.weight", dimensions: [64, 4], values: new Float32Array(256) },
]);

const starter: StarterModel = {
  ...STARTER_MODEL,
  wheel: { ...STARTER_MODEL.wheel, bytes: realModel.length, sha256: sha256(realModel) },
};

interface Search extends FindModelOptions {
  readonly notes: string[];
}

/** A search in a folder of its own that reaches neither a hub nor a Python, unless the test says so. */
async function search(more: Partial<FindModelOptions> = {}): Promise<Search> {
  const notes: string[] = [];
  return {
    named: null,
    folders: [path.join(temporaryFolder(), "models")],
    hubUrl: (await closedAddress()).url,
    pythonCommands: ["no-such-python"],
    starter,
    notes,
    onStatus: (status) => notes.push(status.phase === "looking" ? status.note : `downloading from ${status.from}`),
    ...more,
  };
}

function put(folder: string, name: string, content: Buffer | string = realModel): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

describe("a model file that the user named", () => {
  it("is taken, with its quantisation left out of its name", async () => {
    const named = put(temporaryFolder(), "Other-7B-Q4_K_M.gguf");
    expect(await findModel(await search({ named }))).toEqual({
      modelPath: named,
      modelId: "Other-7B",
      noiseModel: false,
    });
  });

  it("is known as noise whatever it is called", async () => {
    const { modelPath } = await writeNoiseModel(path.join(temporaryFolder(), "Great-70B.gguf"), { size: "tiny" });
    expect(await findModel(await search({ named: modelPath }))).toMatchObject({
      modelId: "Great-70B",
      noiseModel: true,
    });
  });

  it("is refused when it is not there", async () => {
    const problem = findModel(await search({ named: "/nowhere/model.gguf" }));
    await expect(problem).rejects.toMatchObject({
      reason: "missing",
      message: "There is no file /nowhere/model.gguf.",
      whatToDo: "Check the path.",
    });
  });

  it("is refused when it is a folder", async () => {
    await expect(findModel(await search({ named: temporaryFolder() }))).rejects.toMatchObject({ reason: "missing" });
  });

  it.each([
    ["text", Buffer.from("Not a model at all.")],
    ["a GGUF of the future", Buffer.concat([Buffer.from("GGUF"), Buffer.from([99, 0, 0, 0]), Buffer.alloc(64)])],
    ["a vocabulary without weights", encodeGguf({}, [])],
  ])("is refused when it is %s", async (_, content) => {
    const named = put(temporaryFolder(), "model.gguf", content);
    await expect(findModel(await search({ named }))).rejects.toMatchObject({
      reason: "not_gguf",
      message: expect.stringContaining(named),
    });
  });

  it.each([
    ["nothing at all", 0],
    ["half a magic word", 2],
    ["half a header", 40],
    ["all but its last byte", realModel.length - 1],
  ])("is refused as cut off when it holds %s", async (_, bytes) => {
    const named = put(temporaryFolder(), "model.gguf");
    truncateSync(named, bytes);
    await expect(findModel(await search({ named }))).rejects.toMatchObject({ reason: "truncated" });
  });

  it("is refused when one of its parts is missing", async () => {
    const named = put(temporaryFolder(), "Big-00001-of-00002.gguf");
    await expect(findModel(await search({ named }))).rejects.toMatchObject({
      message: expect.stringContaining("Big-00002-of-00002.gguf"),
    });
  });
});

describe("a model that nobody named", () => {
  it("is the starter model on disk before any other there", async () => {
    const options = await search();
    put(options.folders[0] ?? "", "Another-1B.gguf");
    const modelPath = put(options.folders[0] ?? "", STARTER_MODEL.fileName);
    expect(await findModel(options)).toEqual({ modelPath, modelId: "SmolLM2-135M-Instruct", noiseModel: false });
  });

  it("is looked for in each folder in turn", async () => {
    const second = temporaryFolder();
    const modelPath = put(second, "Mine-3B.Q8_0.gguf");
    const options = await search();
    expect(await findModel({ ...options, folders: [...options.folders, second] })).toMatchObject({
      modelPath,
      modelId: "Mine-3B",
    });
  });

  it("is not one that is broken, a later part, or noise", async () => {
    const options = await search();
    const folder = options.folders[0] ?? "";
    put(folder, "A-broken.gguf", "GGUF");
    put(folder, "B-00002-of-00002.gguf");
    await writeNoiseModel(path.join(folder, "C-noise.gguf"), { size: "tiny" });
    const modelPath = put(folder, "D-good.gguf");
    expect(await findModel(options)).toMatchObject({ modelPath });
    expect(options.notes.join("\n")).toContain("A-broken.gguf is cut off");
  });

  it("comes from the hub, held to the hub's checksum, at one commit", async () => {
    const hub = await serveFile({ content: realModel });
    const options = await search({ hubUrl: hub.url });
    const found = await findModel(options);
    expect(readFileSync(found.modelPath).equals(realModel)).toBe(true);
    expect(found).toMatchObject({ modelId: "SmolLM2-135M-Instruct", noiseModel: false });
    expect(hub.requests.map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      `HEAD /${starter.hub.repository}/resolve/main/${starter.hub.fileName}`,
      `GET /${starter.hub.repository}/resolve/abc123/${starter.hub.fileName}`,
    ]);
    expect(options.notes).toContain("downloading from Hugging Face");
  });

  it("is found on disk the next time", async () => {
    const hub = await serveFile({ content: realModel });
    const options = await search({ hubUrl: hub.url });
    expect(await findModel(options)).toEqual(await findModel(options));
    expect(hub.requests).toHaveLength(2);
  });

  it.each([
    ["tells no checksum", { toldSha256: null }],
    ["tells another checksum than the file's", { toldSha256: "f".repeat(64) }],
    ["does not answer", { silent: true }],
    ["does not have it", { status: 404 }],
  ])("comes out of the Python package when the hub %s", async (_, behaviour) => {
    const hub = await serveFile({ content: realModel, ...behaviour });
    const python = writeFakePython({ folder: temporaryFolder(), entry: starter.wheel.entry, content: realModel });
    const options = await search({ hubUrl: hub.url, answerWithinMs: 200, pythonCommands: ["no-such-python", python] });
    const found = await findModel(options);
    expect(readFileSync(found.modelPath).equals(realModel)).toBe(true);
    expect(readdirSync(options.folders[0] ?? "")).toEqual([STARTER_MODEL.fileName]);
  });

  it("is noise, with every reason told, when nothing else can be had", async () => {
    const options = await search();
    const found = await findModel(options);
    expect(found).toMatchObject({ modelId: "noise-small", noiseModel: true });
    expect(existsSync(found.modelPath)).toBe(true);
    expect(options.notes.join("\n")).toMatch(/cannot be reached[\s\S]*pip is not installed[\s\S]*noise model/);
  });

  it("is noise when the package holds another file than it should", async () => {
    const python = writeFakePython({
      folder: temporaryFolder(),
      entry: starter.wheel.entry,
      content: Buffer.from("GGUF"),
    });
    const options = await search({ pythonCommands: [python] });
    expect(await findModel(options)).toMatchObject({ noiseModel: true });
    expect(options.notes.join("\n")).toContain("wrong checksum");
  });

  it("is not replaced by noise when the disk is full: the user has to know", async () => {
    const python = writeFakePython({
      folder: temporaryFolder(),
      entry: starter.wheel.entry,
      content: realModel,
      pipFails: "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
    });
    const options = await search({ pythonCommands: [python] });
    await expect(findModel(options)).rejects.toMatchObject({
      reason: "disk_full",
      whatToDo: expect.stringContaining("Free 93 MB"),
    });
    expect(readdirSync(options.folders[0] ?? "")).toEqual([]);
  });

  it("is not replaced by noise when the user cancels", async () => {
    const cancel = new AbortController();
    cancel.abort();
    await expect(findModel(await search({ signal: cancel.signal }))).rejects.toMatchObject({ reason: "cancelled" });
  });

  it("goes to another folder where the first cannot be written", async () => {
    const file = put(temporaryFolder(), "in-the-way", "a file where a folder should be");
    const second = temporaryFolder();
    expect(await findModel(await search({ folders: [path.join(file, "models"), second] }))).toMatchObject({
      modelPath: path.join(second, "noise-small.F32.gguf"),
    });
  });
});
