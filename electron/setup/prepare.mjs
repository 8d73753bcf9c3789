/**
 * `node electron/setup/prepare.mjs test|window|model`: makes sure of what that needs beyond npm's packages, with progress
 * shown. Exit code 1 where it cannot go on, after one line that says what is missing and how to get it.
 */
import { ELECTRON_LIBRARIES, ensurePackages } from "./debian-packages.mjs";
import { ensureModelSource } from "./model-source.mjs";
import { fetchOwnElectron } from "./own-electron.mjs";
import { canUseTestElectron, fetchTestElectron } from "./test-electron.mjs";

const isLinux = process.platform === "linux";

const preparations = {
  /** The window's test starts a real Electron, on a display of its own. */
  async test() {
    if (isLinux && !(await ensurePackages([...ELECTRON_LIBRARIES, "xvfb", "xauth"], "the window's test"))) return false;
    if (canUseTestElectron) return fetchTestElectron().then(() => true);
    if ((await fetchOwnElectron()) !== null) return true;
    console.log("Missing for the window's test: Electron. Check the network and get it with: npx install-electron");
    return false;
  },
  async window() {
    return !isLinux || ensurePackages(ELECTRON_LIBRARIES, "the window");
  },
  async model() {
    return ensureModelSource();
  },
};

const prepare = preparations[process.argv[2]];
if (prepare === undefined) {
  console.error(`usage: node electron/setup/prepare.mjs ${Object.keys(preparations).join("|")}`);
  process.exit(2);
}
const ready = await prepare().catch((error) => {
  console.error(error.message);
  return false;
});
process.exitCode = ready ? 0 : 1;
