/**
 * Anthropic's `thinking` and `effort` in the words of chat templates, and the signature that its clients want to see on a
 * thinking block and give back with it.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { absent } from "../zod-absent";

export const thinkingSchema = z.object({
  type: z.enum(["enabled", "disabled", "adaptive", "between_tools"]),
  budget_tokens: absent(z.int().min(1)),
});

/** Who does not ask for thoughts gets none, as with Anthropic. A template that knows no such variable passes over it. */
export function thinkingOptions(
  thinking: z.output<typeof thinkingSchema> | undefined,
  effort: string | undefined,
): Readonly<Record<string, unknown>> {
  return {
    enable_thinking: thinking !== undefined && thinking.type !== "disabled",
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

/** Proves nothing, for nobody here checks it; but the same thought has the same signature, and it is never empty. */
export function signatureOf(thought: string): string {
  return createHash("sha256").update(thought).digest("base64");
}
