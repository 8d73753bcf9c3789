/** The app with a window. Only puts options, server and shell together. */
import { dirname } from "node:path";
import { parseServerOptions, readOrExit } from "./app/options";
import { runShell } from "./window/run-shell";
import { startApp } from "./window/start-app";

const options = readOrExit(() => parseServerOptions(process.argv.slice(1), "ignored"));

runShell({ builtFolder: dirname(import.meta.dirname), startApp: () => startApp(options) });
