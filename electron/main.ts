/** The app with a window. Only puts options, engine, model search, server and shell together. */
import { dirname, join } from "node:path";
import { app } from "electron";
import { findModel } from "../native-models/catalogue/find-model";
import { listModels } from "../native-models/catalogue/list-models";
import { modelFolders } from "../native-models/catalogue/model-folders";
import { ONE_WORKER_THREAD } from "../native-models/engine/worker-thread";
import { engineStarter } from "../native-models/process/start-engine";
import { createApp } from "./app/create-app";
import { parseWindowOptions, readOrExit } from "./app/options";
import type { WindowApp } from "./ipc/window-app";
import { runShell } from "./window/run-shell";
import { spawnUtilityEngine } from "./window/utility-engine";

const { options, recordingFile } = readOrExit(() =>
  parseWindowOptions(process.argv.slice(1), app.isPackaged ? null : app.getAppPath()),
);
const builtFolder = dirname(import.meta.dirname);

runShell({ builtFolder, startApp, drainMs: options.drainS * 1000, recordingFile });

/** The window opens at once and shows how the model is found and loaded. */
async function startApp(): Promise<WindowApp> {
  const folders = modelFolders({ projectFolder: app.isPackaged ? null : app.getAppPath() });
  const server = await createApp(options, {
    version: app.getVersion(),
    startEngine: engineStarter(spawnUtilityEngine(join(builtFolder, "main", "engine.js"), ONE_WORKER_THREAD)),
    journalFolder: join(app.getPath("userData"), "journal"),
    pageFolder: join(builtFolder, "renderer"),
    findModel: (named, report) => findModel({ named, folders, onStatus: report }),
    listModels: () => listModels(folders),
  });
  void server.loadModel(options.modelPath);
  return server;
}
