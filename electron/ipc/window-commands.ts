/** The commands of the window's page: those of every page, and those that need the system's dialogue or clipboard. */
import { type BrowserWindow, clipboard, dialog } from "electron";
import { z } from "zod";
import type { CommandResult } from "../../core/contract/window";
import { checked, commandResult, refusal } from "./checked-command";
import { handleCommand } from "./handle-command";
import { pageCommands } from "./page-commands";
import type { PageSource } from "./page-source";
import type { WindowApp } from "./window-app";

const COPIED_CHARACTERS_MAX = 1_000_000;

const done: CommandResult = { ok: true };

export function handleWindowCommands(page: PageSource, window: BrowserWindow): void {
  const { ipc } = window.webContents;
  for (const command of pageCommands(page)) handleCommand(ipc, command);
  handleCommand(
    ipc,
    checked({
      ...{ name: "chooseModelFile", arguments: z.tuple([]), result: commandResult, refusal },
      run: () => chooseModelFile(window, page.commands),
    }),
  );
  handleCommand(
    ipc,
    checked({
      ...{ name: "copyText", result: commandResult, refusal },
      arguments: z.tuple([z.string().max(COPIED_CHARACTERS_MAX)]),
      run: async (text) => {
        clipboard.writeText(text);
        return done;
      },
    }),
  );
}

async function chooseModelFile(window: BrowserWindow, commands: WindowApp["commands"]): Promise<CommandResult> {
  const { filePaths } = await dialog.showOpenDialog(window, {
    title: "Choose a model",
    properties: ["openFile"],
    filters: [{ name: "GGUF models", extensions: ["gguf"] }],
  });
  const path = filePaths[0];
  // Closing the dialogue is an answer, not a failure.
  return path === undefined ? done : commands.loadModelFile(path);
}
