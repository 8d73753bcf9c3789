import { modelFolderForTests, noiseOptions, recordingObserver, startEngine } from "../support/noise-engine";
import { enginePortSuite } from "./port/engine-port-suite";

const models = modelFolderForTests();

enginePortSuite("llama.cpp in a child process", {
  start: ({ endsByItself }) =>
    startEngine(noiseOptions(endsByItself ? models().endingModelPath : models().modelPath), recordingObserver()),
});
