import { afterAll, beforeAll } from "vitest";
import { spawnChildProcess } from "../../native-models/process/spawn-child-process";
import { engineStarter } from "../../native-models/process/start-engine";
import {
  createModelFolder,
  ENGINE_ENTRY,
  type ModelFolder,
  noiseOptions,
  recordingObserver,
} from "../support/noise-engine";
import { enginePortSuite } from "./port-suite";

let models: ModelFolder;
beforeAll(async () => {
  models = await createModelFolder();
});
afterAll(() => models.remove());

const start = engineStarter(spawnChildProcess(ENGINE_ENTRY));

enginePortSuite("llama.cpp in a child process", {
  start: ({ endsByItself }) =>
    start(noiseOptions(endsByItself ? models.endingModelPath : models.modelPath), recordingObserver()),
});
