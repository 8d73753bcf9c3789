/** Starts the server that the window shows. The only place where the shell and the composition root meet. */
import type { ServerOptions } from "../app/options";
import type { WindowApp } from "../ipc/window-app";

export async function startApp(_options: ServerOptions): Promise<WindowApp> {
  throw new Error("The server is not part of this build.");
}
