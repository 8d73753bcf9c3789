/**
 * The only file that touches what the preload offers: the port with the live data, and the commands. It passes messages
 * on as they come and must never interpret them. In a browser there is no preload, and web/ stands in for it.
 */
import { PORT_MESSAGE, type PortMessage, type TopasBridge } from "../core/contract/window";
import { listenToServer, webBridge } from "./web/web-bridge";

declare global {
  interface Window {
    readonly topas?: TopasBridge;
  }
}

/** Hears every message, in order. */
export function listen(receive: (message: PortMessage) => void): void {
  if (window.topas === undefined) listenToServer(receive);
  else listenToPort(receive);
}

/** Hears every message of the newest port; a port that came before (the page of a restarted server) is closed. */
function listenToPort(receive: (message: PortMessage) => void): void {
  let current: MessagePort | null = null;
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const port = event.ports[0];
    if (event.source !== window || event.data !== PORT_MESSAGE || !port) return;
    current?.close();
    current = port;
    port.onmessage = (message: MessageEvent<PortMessage>) => receive(message.data);
  });
}

export function commands(): TopasBridge {
  return window.topas ?? webBridge;
}
