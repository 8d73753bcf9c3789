/** Types of debian-packages.mjs, for tests. */
export interface Machine {
  runShown(command: string, args: readonly string[]): Promise<boolean>;
  runQuietly(command: string, args: readonly string[]): { readonly ok: boolean; readonly output: string };
  say(line: string): void;
  readonly isRoot: boolean;
}
export const ELECTRON_LIBRARIES: readonly string[];
export function ensurePackages(packages: readonly string[], purpose: string, machine?: Machine): Promise<boolean>;
