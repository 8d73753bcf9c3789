/** Remembers where the window was. A file that cannot be read or written must never keep the window from opening. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Rectangle } from "electron";
import { z } from "zod";

export const WINDOW_WIDTH_MIN = 1024;
export const WINDOW_HEIGHT_MIN = 700;

const windowState = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(WINDOW_WIDTH_MIN),
  height: z.number().int().min(WINDOW_HEIGHT_MIN),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof windowState>;

/** Null if there is none, or if too little of it would lie on any of today's screens. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | null {
  try {
    const state = windowState.parse(JSON.parse(readFileSync(file, "utf8")));
    return screens.some((screen) => canBeGrabbed(state, screen)) ? state : null;
  } catch {
    return null;
  }
}

/** Writes beside the file and renames, so that a crash leaves the old or the new one, never half of it. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`);
    renameSync(`${file}.new`, file);
  } catch (cause) {
    console.warn(`The window's place could not be remembered: ${String(cause)}`);
  }
}

/** Enough of the upper edge is visible to move the window with the mouse. */
function canBeGrabbed(state: WindowState, screen: Rectangle): boolean {
  const visibleWidth = Math.min(state.x + state.width, screen.x + screen.width) - Math.max(state.x, screen.x);
  return visibleWidth >= 200 && state.y >= screen.y && state.y <= screen.y + screen.height - 60;
}
