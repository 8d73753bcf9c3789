/**
 * Thoughts that a client takes along itself: with `include: ["reasoning.encrypted_content"]` it gets each as one opaque text
 * and sends it back with its next turn. There is no one to hide a local model's thoughts from, so it is packed and not
 * encrypted.
 */
import type { InputItem } from "./input-items";

const mark = "topas1.";

export function sealThought(thought: string): string {
  return mark + Buffer.from(thought, "utf8").toString("base64url");
}

/** What a reasoning item holds: its text, else what it has sealed, else its summary. Sealed by others: nothing. */
export function thoughtOf(item: InputItem): string {
  const said = textsOf(item.content);
  if (said !== "") return said;
  const sealed = item.encrypted_content;
  if (typeof sealed === "string" && sealed.startsWith(mark)) {
    return Buffer.from(sealed.slice(mark.length), "base64url").toString("utf8");
  }
  return textsOf(item.summary);
}

function textsOf(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts
    .map((part) => (typeof part === "object" && part !== null ? (part as { text?: unknown }).text : undefined))
    .filter((text) => typeof text === "string")
    .join("\n\n");
}
