/** Where the page lives. A scheme of our own keeps `file:` and its rights out of the window. */
export const PAGE_SCHEME = "app";
export const PAGE_HOST = "ui";
export const PAGE_ORIGIN = `${PAGE_SCHEME}://${PAGE_HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/index.html`;
/** Shown when the page's process has crashed twice in a row. */
export const CRASH_PAGE_URL = `${PAGE_ORIGIN}/crashed.html`;
