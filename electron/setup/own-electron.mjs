/** Fetches the Electron that is shipped, by its package's own installer, where that can be reached. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { findOwnElectron, PROJECT_FOLDER } from "./find-electron.mjs";
import { runShown } from "./run-program.mjs";

const ANSWER_WITHIN_MS = 4_000;

/** @returns {Promise<string | null>} the executable, or null where it cannot be had */
export async function fetchOwnElectron() {
  const there = findOwnElectron();
  if (there !== null) return there;
  const folder = path.join(PROJECT_FOLDER, "node_modules", "electron");
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  if (!(await isReachable(manifest))) return null;
  console.log(`Fetching Electron ${manifest.version} (about 110 MB, once)`);
  await runShown(process.execPath, [path.join(folder, "install.js")]);
  return findOwnElectron();
}

/** The installer itself waits for minutes on a network that swallows everything. */
async function isReachable({ repository, version }) {
  const mirror =
    process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? `${repository}/releases/download/`;
  const url = `${mirror}v${version}/SHASUMS256.txt`;
  return fetch(url, { method: "HEAD", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
