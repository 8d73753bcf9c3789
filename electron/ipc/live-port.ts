/**
 * Gives each page that loads in the window a new message port with the live data, and drops the one before. It must
 * never send to a page that is gone.
 */
import { MessageChannelMain, type WebContents } from "electron";
import { CRASH_PAGE_URL } from "../window/page-address";
import { PORT_CHANNEL, PROBE_CHANNEL } from "./channels";
import { type LiveFeed, openLiveFeed } from "./live-feed";
import type { PageSource } from "./page-source";
import { isFromOurPage } from "./sender";

export function serveLivePort(page: PageSource, contents: WebContents): void {
  let current: { readonly feed: LiveFeed; close(): void } | null = null;
  const close = () => {
    current?.close();
    current = null;
  };
  const open = () => {
    close();
    if (contents.getURL() === CRASH_PAGE_URL) return;
    current = openPort(page, contents, close);
  };

  // The page's scripts have run by then, so somebody listens for the port.
  contents.on("did-finish-load", open);
  // Not at the start of a navigation: one that is refused leaves the page where it is.
  contents.on("did-navigate", close);
  contents.on("render-process-gone", close);
  contents.on("destroyed", close);

  contents.ipc.on(PROBE_CHANNEL, (event, sent: unknown) => {
    if (isFromOurPage(event) && typeof sent === "number") current?.feed.confirm(sent);
  });
}

function openPort(page: PageSource, contents: WebContents, gone: () => void) {
  const { port1, port2 } = new MessageChannelMain();
  contents.postMessage(PORT_CHANNEL, null, [port2]);
  const feed = openLiveFeed(page, {
    send: (message) => port1.postMessage(message),
    probe: (sent) => contents.send(PROBE_CHANNEL, sent),
  });
  const stopSwitch = page.onSwitch(() => feed.restart());
  port1.on("close", gone);
  port1.start();
  return {
    feed,
    close() {
      stopSwitch();
      feed.close();
      port1.off("close", gone);
      port1.close();
    },
  };
}
