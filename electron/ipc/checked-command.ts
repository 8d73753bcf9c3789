/**
 * A command of the page as anybody may hand it in: what it carries is checked before it runs, its result before it leaves. One
 * that throws must never reach the page as anything but a plain sentence.
 */
import { z } from "zod";
import type { CommandResult } from "../../core/contract/window";
import type { CommandName } from "./channels";

export const commandResult: z.ZodType<CommandResult> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

export interface Command<Arguments extends z.ZodTuple, Result> {
  readonly name: CommandName;
  readonly arguments: Arguments;
  readonly result: z.ZodType<Result>;
  /** What the page gets where there is no result. */
  readonly refusal: (message: string) => Result;
  run(...values: z.output<Arguments>): Promise<Result>;
}

export interface CheckedCommand {
  readonly name: CommandName;
  run(values: readonly unknown[]): Promise<unknown>;
}

export function checked<Arguments extends z.ZodTuple, Result>(command: Command<Arguments, Result>): CheckedCommand {
  return {
    name: command.name,
    async run(values) {
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
    },
  };
}

export function refusal(message: string): CommandResult {
  return { ok: false, message };
}
