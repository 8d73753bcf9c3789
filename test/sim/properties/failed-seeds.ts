/** Seeds that once broke a property. They are kept in a file, for good: whoever mends a fault leaves its seed there. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PoolKind } from "./small-world";

export interface FailedSeed {
  /** Its id. */
  readonly property: string;
  readonly pool: PoolKind;
  readonly seed: number;
}

const file = path.join(import.meta.dirname, "../failed-seeds.json");

export function failedSeeds(): readonly FailedSeed[] {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function keepSeed(failed: FailedSeed): void {
  const known = failedSeeds();
  const isKnown = known.some(
    ({ property, pool, seed }) => property === failed.property && pool === failed.pool && seed === failed.seed,
  );
  if (isKnown) return;
  const lines = [...known, failed].map(({ property, pool, seed }) => {
    return `  { "property": ${JSON.stringify(property)}, "pool": ${JSON.stringify(pool)}, "seed": ${seed} }`;
  });
  writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}
