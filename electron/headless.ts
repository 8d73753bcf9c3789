/** `npm run serve`: the server without a window. Prints its URL when it is ready, ends on Ctrl-C after its requests were told. */
import { parseServerOptions, readOrExit } from "./app/options";
import { startNodeApp } from "./node-app";

const options = readOrExit(() => parseServerOptions(process.argv.slice(2)));

try {
  const app = await startNodeApp(options, import.meta.dirname);
  console.log(`Ready at ${app.status.url}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(130)); // asked twice: at once
      void app.dispose().then(() => process.exit(0));
    });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
