/**
 * Gets system packages where that can be done without asking (apt-get, as root or with sudo that wants no password);
 * elsewhere it only says in one line what is missing and the command for it. It never installs what is there.
 */
import { runQuietly, runShown } from "./run-program.mjs";

/** What Electron loads when it starts, as Debian names it. */
export const ELECTRON_LIBRARIES = ["libgtk-3-0", "libnss3", "libasound2", "libgbm1", "libxss1", "libxtst6"];

const COMMAND_OF_PACKAGE = { xvfb: "Xvfb", xauth: "xauth" };
/** Libraries that other systems pack under other names; a loader's list is what these packages would bring. */
const SAMPLE_OF_LIBRARY = {
  "libgtk-3-0": "libgtk-3.so.0",
  libnss3: "libnss3.so",
  libasound2: "libasound.so.2",
  libgbm1: "libgbm.so.1",
  libxss1: "libXss.so.1",
  libxtst6: "libXtst.so.6",
};

/** @typedef {{ runShown: typeof runShown, runQuietly: typeof runQuietly, say: (line: string) => void, isRoot: boolean }} Machine */

/** @type {Machine} */
const thisMachine = { runShown, runQuietly, say: (line) => console.log(line), isRoot: process.getuid?.() === 0 };

/**
 * @param {string[]} packages @param {string} purpose @param {Machine} machine
 * @returns {Promise<boolean>} whether all is there now
 */
export async function ensurePackages(packages, purpose, machine = thisMachine) {
  const missing = packages.filter((name) => !isThere(name, machine));
  if (missing.length === 0) return true;
  const privilege = privilegeOf(machine);
  const names = missing.map((name) => currentName(name, machine));
  if (!machine.runQuietly("apt-get", ["--version"]).ok) {
    machine.say(
      `Missing for ${purpose}: ${missing.join(", ")} (Debian's names). Install them with this system's package manager, then run this again.`,
    );
    return false;
  }
  if (privilege === null) {
    machine.say(
      `Missing for ${purpose}: ${missing.join(", ")}. Get them with: sudo apt-get install -y ${names.join(" ")}`,
    );
    return false;
  }
  machine.say(`Installing for ${purpose}: ${names.join(" ")}`);
  if (await install(names, privilege, machine)) return true;
  machine.say(
    `apt-get could not install what ${purpose} needs. Try: sudo apt-get update && sudo apt-get install -y ${names.join(" ")}`,
  );
  return false;
}

async function install(names, privilege, machine) {
  const [command, ...before] = [...privilege, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  // A list that could not be renewed may still be good enough for the installation.
  await machine.runShown(command, [...before, "update", "-q"]);
  return machine.runShown(command, [...before, "install", "-y", "-q", "--no-install-recommends", ...names]);
}

function isThere(name, machine) {
  const command = COMMAND_OF_PACKAGE[name];
  if (command !== undefined) return machine.runQuietly("which", [command]).ok;
  const status = machine.runQuietly("dpkg-query", ["--status", name]);
  if (status.ok && status.output.includes("\nStatus: install ok installed\n")) return true;
  const library = SAMPLE_OF_LIBRARY[name];
  return (
    library !== undefined &&
    ["ldconfig", "/sbin/ldconfig"].some((tool) => machine.runQuietly(tool, ["-p"]).output.includes(`${library} `))
  );
}

/** Newer Debian and Ubuntu call some libraries `…t64`. */
function currentName(name, machine) {
  return machine.runQuietly("apt-cache", ["show", "--no-all-versions", `${name}t64`]).ok ? `${name}t64` : name;
}

function privilegeOf(machine) {
  if (machine.isRoot) return [];
  return machine.runQuietly("sudo", ["-n", "true"]).ok ? ["sudo", "-n"] : null;
}
