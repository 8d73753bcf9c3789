/** The text of an item's content, which is a text or a list of parts. */
import { ApiError } from "../api-error";

/** With `pictureAllowed`, a picture that a tool found is named instead of refused: it must not end the conversation. */
export function contentText(content: unknown, param: string, pictureAllowed = false): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) {
    const code = content === undefined || content === null ? "missing_required_parameter" : "invalid_value";
    throw new ApiError(code, `'${param}' must be a text or a list of parts.`, { param });
  }
  return content.map((part, at) => partText(part, `${param}.${at}`, pictureAllowed)).join("\n");
}

function partText(part: unknown, param: string, pictureAllowed: boolean): string {
  const { type, text, refusal } = (typeof part === "object" && part !== null ? part : {}) as Record<string, unknown>;
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
    case "summary_text":
    case "reasoning_text":
      return stringAt(text, `${param}.text`);
    case "refusal":
      return stringAt(refusal, `${param}.refusal`);
    case "input_image":
      if (pictureAllowed) return "[A picture, which this model cannot see.]";
      break;
    default:
      break;
  }
  const message = `Only text can be read, not a part of type '${String(type)}'.`;
  throw new ApiError("unsupported_parameter", message, { param });
}

function stringAt(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw new ApiError("invalid_value", `Wrong value for '${param}': expected string.`, { param });
}
