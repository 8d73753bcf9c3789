/** How deep a value may be nested that is written as JSON again: writing goes down level by level and would run out of stack. */

export const nestingMax = 256;

export function isNestedAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedAtMost(inner, levels - 1));
}
