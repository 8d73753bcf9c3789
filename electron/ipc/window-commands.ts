/** Every command of the page, with what it may carry. It only checks and passes on. */
import { type BrowserWindow, clipboard, dialog } from "electron";
import { z } from "zod";
import type { CommandResult } from "../../core/contract/window";
import type { InspectionResult } from "../../core/inspect/inspection";
import { policyNames } from "../../core/policies/policies";
import type { CommandName } from "./channels";
import { commandResult, handleCommand } from "./handle-command";
import type { PageSource } from "./page-source";
import type { WindowApp } from "./window-app";

const COPIED_CHARACTERS_MAX = 1_000_000;
/** Of a request's id or an agent's. */
const NAME_CHARACTERS_MAX = 500;

const nothing = z.tuple([]);
const name = z.tuple([z.string().min(1).max(NAME_CHARACTERS_MAX)]);
const inspectionKind = z.object({ kind: z.enum(["found", "forgotten", "not_made", "failed"]) });
const done: CommandResult = { ok: true };

export function handleWindowCommands(page: PageSource, window: BrowserWindow): void {
  const { ipc } = window.webContents;
  const handle = <Arguments extends z.ZodTuple>(
    name: Exclude<CommandName, "readEngineLog" | "inspectDecision">,
    values: Arguments,
    run: (...values: z.output<Arguments>) => Promise<CommandResult>,
  ) => handleCommand(ipc, { name, arguments: values, result: commandResult, refusal, run });

  handle("runDemo", nothing, () => page.commands.runDemo());
  handle("stopDemo", nothing, () => page.commands.stopDemo());
  handle("choosePolicy", z.tuple([z.enum(policyNames)]), (policy) => page.commands.choosePolicy(policy));
  handle("chooseModelFile", nothing, () => chooseModelFile(window, page.commands));
  handle("loadStarterModel", nothing, () => page.commands.loadStarterModel());
  handle("cancelRequest", name, (id) => page.commands.cancelRequest(id));
  handle("pauseQueue", nothing, () => page.commands.pauseQueue());
  handle("resumeQueue", nothing, () => page.commands.resumeQueue());
  handle("moveUp", name, (id) => page.commands.moveUp(id));
  handle("undoMoveUp", name, (id) => page.commands.undoMoveUp(id));
  handle("pinPrefix", name, (agent) => page.commands.pinPrefix(agent));
  handle("unpinPrefix", name, (agent) => page.commands.unpinPrefix(agent));
  handle("copyText", z.tuple([z.string().max(COPIED_CHARACTERS_MAX)]), async (text) => {
    clipboard.writeText(text);
    return done;
  });
  handle("restartEngine", nothing, () => page.commands.restartEngine());
  handleCommand(ipc, {
    name: "inspectDecision",
    arguments: z.tuple([z.int().positive()]),
    // Made by our own core: that it is one of its kinds is all there is to check.
    result: z.custom<InspectionResult>((value) => inspectionKind.safeParse(value).success),
    refusal: (message): InspectionResult => ({ kind: "failed", message }),
    run: (decision) => page.commands.inspectDecision(decision),
  });
  handleCommand(ipc, {
    name: "readEngineLog",
    arguments: nothing,
    result: z.string(),
    refusal: (message) => message,
    run: () => page.commands.readEngineLog(),
  });
}

function refusal(message: string): CommandResult {
  return { ok: false, message };
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
