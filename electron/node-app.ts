/** The whole server under plain Node, for the headless program and the demo: the engine is a child process. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findModel } from "../native-models/catalogue/find-model";
import { listModels } from "../native-models/catalogue/list-models";
import { appDataFolder, modelFolders } from "../native-models/catalogue/model-folders";
import { spawnChildProcess } from "../native-models/process/spawn-child-process";
import { engineStarter } from "../native-models/process/start-engine";
import { type App, createApp } from "./app/create-app";
import type { ServerOptions } from "./app/options";
import { createProgressLine } from "./terminal";

/**
 * `builtFolder` is the one with the built programs, out/main. Resolves when the model is loaded. Rejects with what to do when the port is taken or no model can be loaded.
 */
export async function startNodeApp(options: ServerOptions, builtFolder: string): Promise<App> {
  const projectFolder = resolve(builtFolder, "..", "..");
  const folders = modelFolders({ projectFolder });
  const app = await createApp(options, {
    version: JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")).version,
    startEngine: engineStarter(spawnChildProcess(join(builtFolder, "engine.js"))),
    journalFolder: join(process.env.TOPAS_USER_DATA ?? appDataFolder(), "journal"),
    pageFolder: resolve(builtFolder, "..", "renderer"),
    findModel: (named, report) => findModel({ named, folders, onStatus: report }),
    listModels: () => listModels(folders),
  });
  const progress = createProgressLine(process.stderr);
  const stop = app.onStatus(progress.show);
  try {
    if (app.status.serverProblem !== null) throw new Error(app.status.serverProblem);
    const loaded = await app.loadModel(options.modelPath);
    if (!loaded.ok) throw new Error(failure(app));
    return app;
  } catch (error) {
    await app.dispose();
    throw error;
  } finally {
    stop();
    progress.end();
  }
}

function failure({ status: { model } }: App): string {
  return model.phase === "failed" ? `${model.message} ${model.whatToDo}` : "The model could not be loaded.";
}
