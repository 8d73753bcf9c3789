/** The text of one content block, as far as a model that reads text only can be shown it. */
import { ApiError } from "../api-error";
import type { Block } from "./message-blocks";

/** Traces of tools that Anthropic's servers ran; the model said afterwards what it made of them. */
const traces =
  /^(redacted_thinking|server_tool_use|container_upload|tool_reference|browser_state|[a-z_]+_tool_result)$/;

export function readableText(block: Block, param: string): string {
  switch (block.type) {
    case "text":
      return stringAt(block.text, `${param}.text`);
    case "search_result":
      return joined([words(block.title), words(block.source), innerText(block.content, `${param}.content`)]);
    case "document":
      return documentText(block, param);
    default:
      if (traces.test(block.type)) return "";
      throw new ApiError("unsupported_parameter", `Only text can be read, not a block of type '${block.type}'.`, {
        param,
      });
  }
}

/** Texts of one turn, a blank line between them. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

function documentText(block: Block, param: string): string {
  const source = (typeof block.source === "object" && block.source !== null ? block.source : {}) as {
    readonly type?: unknown;
    readonly data?: unknown;
    readonly content?: unknown;
  };
  const head = [words(block.title), words(block.context)];
  if (source.type === "text") return joined([...head, stringAt(source.data, `${param}.source.data`)]);
  if (source.type === "content") return joined([...head, innerText(source.content, `${param}.source.content`)]);
  const message = `Only documents of plain text can be read, not a source of type '${String(source.type)}'.`;
  throw new ApiError("unsupported_parameter", message, { param: `${param}.source` });
}

function innerText(content: unknown, param: string): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return joined(content.map((block, at) => readableText(asBlock(block, `${param}.${at}`), `${param}.${at}`)));
}

function asBlock(value: unknown, param: string): Block {
  const type = typeof value === "object" && value !== null ? (value as { type?: unknown }).type : undefined;
  if (typeof type === "string") return value as Block;
  throw new ApiError("invalid_value", `Wrong value for '${param}': expected a block with a 'type'.`, { param });
}

function words(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function stringAt(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw new ApiError("invalid_value", `Wrong value for '${param}': expected string.`, { param });
}
