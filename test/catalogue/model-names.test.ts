import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { modelFolders } from "../../native-models/catalogue/model-folders";
import { modelIdOf } from "../../native-models/catalogue/model-id";
import { temporaryFolder } from "./temporary-folder";

describe("a model's name in the API", () => {
  it.each([
    ["SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct"],
    ["gemma-3-270m-it-Q4_K_M.gguf", "gemma-3-270m-it"],
    ["qwen2.5-0.5b-instruct-q8_0.gguf", "qwen2.5-0.5b-instruct"],
    ["Llama-3.2-1B-IQ3_XXS.gguf", "Llama-3.2-1B"],
    ["Big-BF16-00001-of-00003.gguf", "Big"],
    ["plain.gguf", "plain"],
    ["noise-small.F32.gguf", "noise-small"],
  ])("of %s is %s", (file, name) => {
    expect(modelIdOf(path.join("/models", file))).toBe(name);
  });
});

describe("the folders for models", () => {
  const homeFolder = path.join("/home", "ada");

  it.each([
    ["linux", {}, path.join(homeFolder, ".local/share/topas-desktop/models")],
    ["linux", { XDG_DATA_HOME: "/data" }, "/data/topas-desktop/models"],
    ["darwin", {}, path.join(homeFolder, "Library/Application Support/topas-desktop/models")],
    ["win32", { APPDATA: "/appdata" }, "/appdata/topas-desktop/models"],
  ] as const)("in an installed app on %s are the user's (%j)", (platform, environment, folder) => {
    expect(modelFolders({ projectFolder: null, platform, environment, homeFolder })).toEqual([folder]);
  });

  it("in development begin with the project's own", () => {
    const projectFolder = temporaryFolder();
    mkdirSync(path.join(projectFolder, "native-models"));
    expect(modelFolders({ projectFolder, homeFolder })[0]).toBe(path.join(projectFolder, "native-models", "models"));
  });
});
