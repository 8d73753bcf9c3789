/** Recordings from and to files of the user's choice. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BrowserWindow, dialog, type IpcMain } from "electron";
import { z } from "zod";
import type { CommandResult } from "../../core/contract/window";
import { savedFileName } from "../live/saved-file-name";
import type { CommandName } from "./channels";
import { checked, commandResult, refusal } from "./checked-command";
import { handleCommand } from "./handle-command";
import type { PageSource } from "./page-source";
import type { WindowApp } from "./window-app";

const PATH_CHARACTERS_MAX = 32_768;
const done: CommandResult = { ok: true };

export function handleRecordingCommands(app: WindowApp, page: PageSource, window: BrowserWindow): void {
  const ipc = window.webContents.ipc;
  handle(ipc, "openRecording", z.tuple([]), async () => {
    const { filePaths } = await dialog.showOpenDialog(window, {
      title: "Open a recording",
      properties: ["openFile"],
      filters: [{ name: "Recordings", extensions: ["gz", "jsonl"] }],
    });
    // Closing the dialogue is an answer, not a failure.
    if (filePaths[0] !== undefined) await page.open(filePaths[0]);
  });
  handle(ipc, "openDroppedFile", z.tuple([z.string().min(1).max(PATH_CHARACTERS_MAX)]), (file) => page.open(file));
  handle(ipc, "saveRecording", z.tuple([]), async () => {
    const content = async () => app.recording();
    await save(window, "Save a recording", "topas.jsonl.gz", content);
  });
  handle(ipc, "saveTrace", z.tuple([]), async () => {
    const content = async () => Readable.from(page.trace());
    await save(window, "Save a trace for ui.perfetto.dev", "trace.json", content);
  });
}

/** What fails here, fails for a reason the user has to hear: no such file, no recording, no room. */
function handle<Arguments extends z.ZodTuple>(
  ipc: IpcMain,
  name: CommandName,
  values: Arguments,
  run: (...values: z.output<Arguments>) => Promise<void>,
): void {
  handleCommand(
    ipc,
    checked({
      ...{ name, arguments: values, result: commandResult, refusal },
      run: (...given) =>
        run(...given).then(
          () => done,
          (cause: unknown) => refusal(cause instanceof Error ? cause.message : String(cause)),
        ),
    }),
  );
}

async function save(
  window: BrowserWindow,
  title: string,
  ending: string,
  content: () => Promise<Readable>,
): Promise<void> {
  const { filePath } = await dialog.showSaveDialog(window, { title, defaultPath: savedFileName(ending) });
  if (filePath !== "") await pipeline(await content(), createWriteStream(filePath));
}
