/** The one way a command of the window gets in: from our own page, and checked. */
import type { IpcMain } from "electron";
import { commandChannel } from "./channels";
import type { CheckedCommand } from "./checked-command";
import { isFromOurPage } from "./sender";

export function handleCommand(ipc: IpcMain, command: CheckedCommand): void {
  ipc.handle(commandChannel(command.name), async (event, ...values: unknown[]) => {
    if (!isFromOurPage(event)) throw new Error("Only the app's own page may send commands.");
    return command.run(values);
  });
}
