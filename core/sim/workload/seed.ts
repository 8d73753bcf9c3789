/** Seeds for the parts of a workload, so that each draws its own numbers whatever the others do. */
import { type Random, seededRandom } from "../random";

/** Random numbers that depend on nothing but `parts` (FNV-1a over their text). */
export function randomFor(...parts: readonly (string | number)[]): Random {
  let hash = 0x811c9dc5;
  for (const letter of parts.join("/")) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return seededRandom(hash);
}
