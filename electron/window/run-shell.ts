/**
 * The app with a window, put together: server, page, commands, live data, quitting. It decides nothing about requests.
 * Must be called while the entry file is still being evaluated: some of it has to come before Electron is ready.
 */
import { join } from "node:path";
import { app, type BrowserWindow, crashReporter, dialog, protocol, session } from "electron";
import { serveLivePort } from "../ipc/live-port";
import { PageSource } from "../ipc/page-source";
import { handleRecordingCommands } from "../ipc/recording-commands";
import type { StartApp, WindowApp } from "../ipc/window-app";
import { handleWindowCommands } from "../ipc/window-commands";
import { hardenContents } from "./harden-contents";
import { hardenSession } from "./harden-session";
import { createMainWindow, loadPage } from "./main-window";
import { setMenu } from "./menu";
import { servePage } from "./page-protocol";
import { registerPageScheme } from "./page-scheme";
import { handleQuit } from "./quit";

export interface ShellOptions {
  /** Folder with `main`, `preload` and `renderer` as built. */
  readonly builtFolder: string;
  readonly startApp: StartApp;
  /** Given to open requests when the app is quit. */
  readonly drainMs: number;
  /** Shown in place of the live server at first. */
  readonly recordingFile: string | null;
}

export function runShell(options: ShellOptions): void {
  const userData = process.env.TOPAS_USER_DATA;
  if (userData) app.setPath("userData", userData);
  // As root Chromium refuses to run with its sandbox, in an endless loop.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  crashReporter.start({ uploadToServer: false });
  registerPageScheme();
  hardenContents(app);

  if (!app.requestSingleInstanceLock({ recordingFile: options.recordingFile })) {
    console.log("TOPAS Desktop is already running; its window comes to the front.");
    app.exit(0);
    return;
  }
  // Not awaited at the top: Electron is ready only after this file has been evaluated.
  app
    .whenReady()
    .then(() => openApp(options))
    .catch((cause) => {
      console.error(cause);
      dialog.showErrorBox("TOPAS Desktop could not start", cause instanceof Error ? cause.message : String(cause));
      app.exit(1);
    });
}

async function openApp({ builtFolder, startApp, drainMs, recordingFile }: ShellOptions): Promise<void> {
  setMenu();
  hardenSession(session.defaultSession);
  servePage(protocol, join(builtFolder, "renderer"));

  const server = await startApp();
  let { window, page } = openWindow(builtFolder, server);
  const open = (file: string) => {
    page.open(file).catch((cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause);
      void dialog.showMessageBox(window, {
        type: "warning",
        message: "This recording cannot be shown.",
        detail: message,
      });
    });
  };
  if (recordingFile !== null) open(recordingFile);
  const show = () => {
    if (window.isDestroyed()) ({ window, page } = openWindow(builtFolder, server));
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  let quitting = false;
  handleQuit({
    app,
    quitting: () => {
      quitting = true;
      if (!window.isDestroyed()) window.hide();
    },
    dispose: () => server.dispose(),
    disposeWithinMs: drainMs + 15_000,
  });
  app.on("second-instance", (_event, _argv, _folder, given) => {
    if (quitting) return;
    show();
    const other = (given as Pick<ShellOptions, "recordingFile">).recordingFile;
    if (other !== null) open(other);
  });
  app.on("activate", () => quitting || show());
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin" && !quitting) app.quit();
  });
}

function openWindow(
  builtFolder: string,
  server: WindowApp,
): { readonly window: BrowserWindow; readonly page: PageSource } {
  const window = createMainWindow({
    preloadFile: join(builtFolder, "preload", "index.cjs"),
    stateFile: join(app.getPath("userData"), "window.json"),
  });
  const page = new PageSource(server);
  handleWindowCommands(page, window);
  handleRecordingCommands(server, page, window);
  serveLivePort(page, window.webContents);
  loadPage(window);
  return { window, page };
}
