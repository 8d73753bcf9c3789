/**
 * Ending the app: open requests may finish for a while, the engine is freed, then it ends. A second quit ends it at once,
 * and so does a server that does not come to an end.
 */
import type { App } from "electron";

export interface QuitOptions {
  readonly app: App;
  /** Called when quitting begins; the window may go, the server may not yet. */
  readonly quitting: () => void;
  readonly dispose: () => Promise<void>;
  /** Longer than `dispose` is to take, so that it strikes only if that hangs. */
  readonly disposeWithinMs: number;
}

export function handleQuit({ app, quitting, dispose, disposeWithinMs }: QuitOptions): void {
  let phase: "running" | "disposing" | "disposed" = "running";
  let startAgain = false;

  app.on("before-quit", (event) => {
    switch (phase) {
      case "disposed":
        return;
      case "disposing":
        return app.exit(1);
      case "running":
        event.preventDefault();
        phase = "disposing";
        setTimeout(() => app.exit(1), disposeWithinMs);
        quitting();
        dispose()
          .catch((cause) => console.error("The server did not end cleanly:", cause))
          .then(() => {
            phase = "disposed";
            if (startAgain) app.relaunch();
            app.quit();
          });
        return;
      default:
        return phase satisfies never;
    }
  });

  // Whoever starts the app while it is ending wants it to be there afterwards.
  app.on("second-instance", () => {
    startAgain = phase === "disposing";
  });
}
