/** Who may speak to the main process: the top frame of our own page, and nobody else. */
import type { IpcMainEvent, IpcMainInvokeEvent } from "electron";
import { PAGE_ORIGIN } from "../window/page-address";

export function isFromOurPage({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  // A frame that has navigated or closed since it spoke is null.
  return senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === PAGE_ORIGIN;
}
