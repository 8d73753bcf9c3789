/** Every command that a page may send wherever it is shown, with what it may carry. It only checks and passes on. */
import { z } from "zod";
import type { CommandResult } from "../../core/contract/window";
import type { InspectionResult } from "../../core/inspect/inspection";
import { policyNames } from "../../core/policies/policies";
import { type CheckedCommand, checked, commandResult, refusal } from "./checked-command";
import type { PageSource } from "./page-source";
import type { WindowCommands } from "./window-app";

/** Of a request's id or an agent's. */
const NAME_CHARACTERS_MAX = 500;

const nothing = z.tuple([]);
const name = z.tuple([z.string().min(1).max(NAME_CHARACTERS_MAX)]);
const inspectionKind = z.object({ kind: z.enum(["found", "forgotten", "not_made", "failed"]) });

type PlainName =
  | Exclude<keyof WindowCommands, "readEngineLog" | "inspectDecision" | "loadModelFile">
  | "closeRecording";

export function pageCommands(page: PageSource): readonly CheckedCommand[] {
  const plain = <Arguments extends z.ZodTuple>(
    named: PlainName,
    values: Arguments,
    run: (...values: z.output<Arguments>) => Promise<CommandResult>,
  ) => checked({ name: named, arguments: values, result: commandResult, refusal, run });

  return [
    plain("runDemo", nothing, () => page.commands.runDemo()),
    plain("stopDemo", nothing, () => page.commands.stopDemo()),
    plain("choosePolicy", z.tuple([z.enum(policyNames)]), (policy) => page.commands.choosePolicy(policy)),
    plain("loadStarterModel", nothing, () => page.commands.loadStarterModel()),
    plain("cancelRequest", name, (id) => page.commands.cancelRequest(id)),
    plain("pauseQueue", nothing, () => page.commands.pauseQueue()),
    plain("resumeQueue", nothing, () => page.commands.resumeQueue()),
    plain("moveUp", name, (id) => page.commands.moveUp(id)),
    plain("undoMoveUp", name, (id) => page.commands.undoMoveUp(id)),
    plain("pinPrefix", name, (agent) => page.commands.pinPrefix(agent)),
    plain("unpinPrefix", name, (agent) => page.commands.unpinPrefix(agent)),
    plain("restartEngine", nothing, () => page.commands.restartEngine()),
    plain("closeRecording", nothing, async () => {
      page.close();
      return { ok: true };
    }),
    checked({
      name: "inspectDecision",
      arguments: z.tuple([z.int().positive()]),
      // Made by our own core: that it is one of its kinds is all there is to check.
      result: z.custom<InspectionResult>((value) => inspectionKind.safeParse(value).success),
      refusal: (message): InspectionResult => ({ kind: "failed", message }),
      run: (decision) => page.commands.inspectDecision(decision),
    }),
    checked({
      name: "readEngineLog",
      arguments: nothing,
      result: z.string(),
      refusal: (message) => message,
      run: () => page.commands.readEngineLog(),
    }),
  ];
}
