import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { listModels } from "../../native-models/catalogue/list-models";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { temporaryFolder } from "./temporary-folder";

it("lists what can be loaded, each name once, and labels noise models", async () => {
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  const model = path.join(first, "b.F32.gguf");
  await writeNoiseModel(model, { size: "tiny" });
  await copyFile(model, path.join(first, "A.gguf"));
  await copyFile(model, path.join(second, "B.Q8_0.gguf"));
  await copyFile(model, path.join(second, "part-00002-of-00002.gguf"));
  await copyFile(model, path.join(second, "mmproj-A.gguf"));
  await writeFile(path.join(second, "damaged.gguf"), "GGUF");
  await writeFile(path.join(second, "notes.txt"), "no model");
  const models = await listModels([first, path.join(first, "missing"), second]);
  expect(models).toEqual([
    { modelId: "A", modelPath: path.join(first, "A.gguf"), noiseModel: true, fileBytes: expect.any(Number) },
    { modelId: "b", modelPath: model, noiseModel: true, fileBytes: expect.any(Number) },
  ]);
});
