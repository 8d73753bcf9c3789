/** Takes from the page what it does not need: the network, permissions, devices, downloads. The app itself uses Node for all that. */
import type { Session } from "electron";
import { PAGE_SCHEME } from "./page-address";

const ALLOWED_SCHEMES: ReadonlySet<string> = new Set([`${PAGE_SCHEME}:`, "devtools:", "blob:", "data:"]);

export function hardenSession(session: Session): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    const cancel = !ALLOWED_SCHEMES.has(new URL(url).protocol);
    if (cancel) console.warn(`Blocked a request of the window to ${url}`);
    decide({ cancel });
  });
  // Electron grants everything unless both are set.
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on("will-download", (event) => event.preventDefault());
}
