/** Where model files are looked for, in order; downloads go to the first. It touches no disk but to see if the project is there. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

export interface ModelFoldersOptions {
  /** The checkout in development; null in a packaged app. */
  readonly projectFolder: string | null;
  readonly platform?: NodeJS.Platform;
  readonly environment?: NodeJS.ProcessEnv;
  readonly homeFolder?: string;
}

export function modelFolders(options: ModelFoldersOptions): readonly string[] {
  const { projectFolder } = options;
  const user = path.join(appDataFolder(options), "models");
  if (projectFolder === null || !existsSync(path.join(projectFolder, "native-models"))) return [user];
  return [path.join(projectFolder, "native-models", "models"), user];
}

/** Where the app keeps what is the user's. */
export function appDataFolder(options: Omit<ModelFoldersOptions, "projectFolder"> = {}): string {
  return path.join(userDataFolder(options), "topas-desktop");
}

function userDataFolder({
  platform = process.platform,
  environment = process.env,
  homeFolder = homedir(),
}: Omit<ModelFoldersOptions, "projectFolder">): string {
  switch (platform) {
    case "win32":
      return environment.APPDATA ?? path.join(homeFolder, "AppData", "Roaming");
    case "darwin":
      return path.join(homeFolder, "Library", "Application Support");
    default:
      return environment.XDG_DATA_HOME || path.join(homeFolder, ".local", "share");
  }
}
