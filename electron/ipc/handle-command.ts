/**
 * The one way a command of the page gets in: the sender and the arguments are checked before it runs, its result before
 * it leaves. A command that throws must never reach the page as anything but a plain sentence.
 */
import type { IpcMain } from "electron";
import { z } from "zod";
import type { CommandResult } from "../../core/contract/window";
import { type CommandName, commandChannel } from "./channels";
import { isFromOurPage } from "./sender";

export const commandResult: z.ZodType<CommandResult> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

interface Command<Arguments extends z.ZodTuple, Result> {
  readonly name: CommandName;
  readonly arguments: Arguments;
  readonly result: z.ZodType<Result>;
  /** What the page gets where there is no result. */
  readonly refusal: (message: string) => Result;
  run(...values: z.output<Arguments>): Promise<Result>;
}

export function handleCommand<Arguments extends z.ZodTuple, Result>(
  ipc: IpcMain,
  command: Command<Arguments, Result>,
): void {
  ipc.handle(commandChannel(command.name), async (event, ...values: unknown[]) => {
    if (!isFromOurPage(event)) throw new Error("Only the app's own page may send commands.");
    const parsed = command.arguments.safeParse(values);
    if (!parsed.success)
      return command.refusal(`The window sent a command that makes no sense: ${z.prettifyError(parsed.error)}`);
    try {
      const result = command.result.safeParse(await command.run(...parsed.data));
      if (result.success) return result.data;
      throw new Error(
        `The command ${command.name} gave an answer the window cannot read: ${z.prettifyError(result.error)}`,
      );
    } catch (cause) {
      console.error(`The command ${command.name} failed:`, cause);
      return command.refusal(cause instanceof Error ? cause.message : String(cause));
    }
  });
}
