/** Which Electron is on this machine already. It fetches nothing. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT_FOLDER = fileURLToPath(new URL("../..", import.meta.url));
export const TEST_ELECTRON_VERSION = "33.2.1";
export const TEST_ELECTRON_FOLDER = path.join(PROJECT_FOLDER, ".cache", "electron-33");

const PACKAGE_FOLDER = path.join(PROJECT_FOLDER, "node_modules", "electron");

/** The one that is shipped, from Electron's own download; null if it was not fetched. @returns {string | null} */
export function findOwnElectron() {
  const pathFile = path.join(PACKAGE_FOLDER, "path.txt");
  if (!existsSync(pathFile)) return null;
  const executable = path.join(PACKAGE_FOLDER, "dist", readFileSync(pathFile, "utf8").trim());
  return existsSync(executable) ? executable : null;
}

/** The one for tests; elsewhere than on Linux x64 that is the shipped one. @returns {string | null} */
export function findTestElectron() {
  const executable = path.join(TEST_ELECTRON_FOLDER, "electron");
  return existsSync(executable) ? executable : findOwnElectron();
}
