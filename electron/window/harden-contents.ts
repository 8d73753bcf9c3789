/** Keeps every page in its place: no other address, no second window, no embedded view. */
import type { App } from "electron";
import { PAGE_URL } from "./page-address";

export function hardenContents(app: App): void {
  app.on("web-contents-created", (_event, contents) => {
    contents.on("will-frame-navigate", (event) => {
      // The crash page's link back to the page is the only one that leads anywhere.
      if (!(event.isMainFrame && event.url === PAGE_URL)) event.preventDefault();
    });
    contents.on("will-attach-webview", (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
  });
}
