/** Runs a program to its end. It never goes through a shell. */
import { spawn, spawnSync } from "node:child_process";

/** With its output shown. @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} environment @returns {Promise<boolean>} whether it ended well */
export function runShown(command, args, environment = process.env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: environment });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** Quietly. @param {string} command @param {string[]} args @returns {{ ok: boolean, output: string }} */
export function runQuietly(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return { ok: status === 0, output: stdout ?? "" };
}
