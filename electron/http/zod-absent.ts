/** A field that may be missing; `null` means the same, as several clients send it for what they do not set. */
import type { z } from "zod";

export function absent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}
