/** Makes Chromium treat our scheme like https. Must be called before the app is ready. */
import { protocol } from "electron";
import { PAGE_SCHEME } from "./page-address";

export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}
