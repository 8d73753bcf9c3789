/** The one window: how it looks before the page is there, what its page may do, and where it was last time. */
import { BrowserWindow, nativeTheme, screen } from "electron";
import { keepPageAlive } from "./keep-page-alive";
import { PAGE_URL } from "./page-address";
import { readWindowState, WINDOW_HEIGHT_MIN, WINDOW_WIDTH_MIN, writeWindowState } from "./window-state";

/** The page's own ground (`bg-0`), so that nothing flashes before it is drawn. */
const GROUND = { dark: "#0B0C0E", light: "#F6F7F8" };
const WRITE_STATE_AFTER_MS = 500;

export interface MainWindowOptions {
  readonly preloadFile: string;
  readonly stateFile: string;
}

export function createMainWindow({ preloadFile, stateFile }: MainWindowOptions): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const state = readWindowState(stateFile, screens);
  const window = new BrowserWindow({
    ...(state ?? { width: 1440, height: 900 }),
    minWidth: WINDOW_WIDTH_MIN,
    minHeight: WINDOW_HEIGHT_MIN,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: ground(),
    titleBarStyle: process.platform === "darwin" ? "hidden" : "default",
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (state?.maximized) window.maximize();
  window.once("ready-to-show", () => window.show());

  const followTheme = () => window.setBackgroundColor(ground());
  nativeTheme.on("updated", followTheme);
  window.once("closed", () => nativeTheme.off("updated", followTheme));

  rememberState(window, stateFile);
  keepPageAlive(window);
  return window;
}

/** Apart from making the window, so that everything that answers the page can be set up in between. */
export function loadPage(window: BrowserWindow): void {
  // A failure shows in the window itself, and a reload that overtakes this one rejects it.
  window.loadURL(PAGE_URL).catch((cause) => console.warn("The page did not load at once:", cause));
}

function ground(): string {
  return nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light;
}

function rememberState(window: BrowserWindow, stateFile: string): void {
  let timer: NodeJS.Timeout | undefined;
  const write = () => writeWindowState(stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() });
  const writeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(write, WRITE_STATE_AFTER_MS);
  };
  window.on("resize", writeSoon);
  window.on("move", writeSoon);
  window.on("close", () => {
    clearTimeout(timer);
    write();
  });
  window.on("closed", () => clearTimeout(timer));
}
