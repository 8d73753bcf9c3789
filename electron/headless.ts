/**
 * `npm run serve`: the server without a window. Prints its URL when it is ready. Ctrl-C ends it once its open
 * requests have finished, a second one tells them and ends it, a third one does not even wait for the engine.
 */
import { parseServerOptions, readOrExit } from "./app/options";
import { startNodeApp } from "./node-app";

const sameSignalMs = 300;
const options = readOrExit(() => parseServerOptions(process.argv.slice(2)));

try {
  const app = await startNodeApp(options, import.meta.dirname);
  console.log(`Ready at ${app.status.url}`);
  console.log(`Watch it at ${app.status.url?.replace(/v1$/, "ui/")}`);
  let asked = 0;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const end = () => {
    // A terminal gives Ctrl-C to every program of a command, and npm passes it on to its own once more.
    if (performance.now() - askedAtMs < sameSignalMs) return;
    askedAtMs = performance.now();
    asked += 1;
    if (asked > 2) process.exit(130);
    const open = app.openAnswers;
    if (asked === 1 && open > 0) console.error(`Open requests: ${open}. They may finish within ${options.drainS} s.`);
    void app.dispose().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
