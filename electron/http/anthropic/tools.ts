/**
 * Anthropic's tools and `tool_choice` in neutral words. Tools that its own servers run (web search, code execution) carry a
 * dated type and no schema: they are dropped, for nobody here could run them and clients send them unasked.
 */
import { z } from "zod";
import { ApiError } from "../api-error";
import type { GenerationTool, ToolChoice } from "../generation/generation-request";
import { absent } from "../zod-absent";

export const toolSchema = z.looseObject({
  type: absent(z.string()),
  name: absent(z.string()),
  description: absent(z.string()),
  input_schema: absent(z.record(z.string(), z.unknown())),
  strict: absent(z.boolean()),
});

export const choiceSchema = z.object({
  type: z.enum(["auto", "any", "tool", "none"]),
  name: absent(z.string()),
  disable_parallel_tool_use: absent(z.boolean()),
});

export interface ReadTools {
  readonly tools: readonly GenerationTool[];
  readonly dropped: readonly string[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

export function readTools(
  tools: readonly z.output<typeof toolSchema>[],
  choice: z.output<typeof choiceSchema> | undefined,
): ReadTools {
  const own = tools.flatMap((tool, index) => {
    return isClients(tool) ? [readTool(tool, `tools.${index}`)] : [];
  });
  refuseDoubles(own);
  return {
    tools: own,
    dropped: tools.filter((tool) => !isClients(tool)).map(({ name, type }) => name ?? type ?? ""),
    choice: toolChoice(choice, own),
    parallel: !(choice?.disable_parallel_tool_use ?? false),
  };
}

function isClients({ type }: z.output<typeof toolSchema>): boolean {
  return type === undefined || type === "custom";
}

function readTool(tool: z.output<typeof toolSchema>, param: string): GenerationTool {
  const { name, description, input_schema, strict } = tool;
  if (name === undefined || !/^[\w-]{1,128}$/.test(name)) {
    const message = `'${param}.name' must be 1 to 128 letters, digits, '_' or '-'.`;
    throw new ApiError("invalid_value", message, { param: `${param}.name` });
  }
  if (input_schema === undefined) {
    const message = `Missing required parameter: '${param}.input_schema'.`;
    throw new ApiError("missing_required_parameter", message, { param: `${param}.input_schema` });
  }
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: input_schema,
    strict: strict ?? false,
    param,
  };
}

function refuseDoubles(tools: readonly GenerationTool[]): void {
  const names = new Set<string>();
  for (const { name, param } of tools) {
    if (names.has(name)) {
      throw new ApiError("invalid_value", `Tool names must be unique; '${name}' is there twice.`, { param });
    }
    names.add(name);
  }
}

function toolChoice(choice: z.output<typeof choiceSchema> | undefined, tools: readonly GenerationTool[]): ToolChoice {
  if (choice === undefined || choice.type === "auto") return { kind: "auto" };
  if (choice.type === "none") return { kind: "none" };
  if (tools.length === 0) {
    const message = `'tool_choice' asks for a tool, but there is none in 'tools' that can be called here.`;
    throw new ApiError("invalid_value", message, { param: "tool_choice" });
  }
  if (choice.type === "any") return { kind: "required" };
  if (choice.name === undefined) {
    throw new ApiError("missing_required_parameter", "Missing required parameter: 'tool_choice.name'.", {
      param: "tool_choice.name",
    });
  }
  if (!tools.some(({ name }) => name === choice.name)) {
    const message = `'tool_choice' names the tool '${choice.name}', which is not among the tools.`;
    throw new ApiError("invalid_value", message, { param: "tool_choice.name" });
  }
  return { kind: "named", name: choice.name };
}
