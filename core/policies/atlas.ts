/**
 * Autellix ATLAS: a program is charged its longest chain of served calls, which each call inherits when it arrives; so the
 * branches of a fan-out rank alike and go together.
 */
import { leastServed } from "./least-served";

export const atlas = leastServed(
  "atlas",
  (request) => request.inheritedMs,
  "the calls before it have been served for less time",
);
