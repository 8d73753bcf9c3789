/** Tools, the choice among them and the form of the answer, as OpenAI's chat API says them. */
import { z } from "zod";
import { ApiError } from "../api-error";
import type { ChatPrompt, GenerationTool } from "../generation/generation-request";
import { absent } from "../zod-absent";

export const toolsMax = 1024;

const functionSchema = z.object({
  name: z.string().regex(/^[\w.-]{1,128}$/, "names are letters, digits, '_', '-' and '.', at most 128 of them"),
  description: absent(z.string()),
  parameters: absent(z.record(z.string(), z.unknown())),
  strict: absent(z.boolean()),
});

const namedSchema = z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) });

/** Some of the tools; the others count as not sent. */
const allowedSchema = z.looseObject({
  type: z.literal("allowed_tools"),
  allowed_tools: z.looseObject({
    mode: z.enum(["auto", "required"]),
    tools: z.array(namedSchema).min(1).max(toolsMax),
  }),
});

export const toolFields = {
  tools: absent(z.array(z.looseObject({ type: z.string(), function: absent(functionSchema) })).max(toolsMax)),
  tool_choice: absent(z.union([z.enum(["none", "auto", "required"]), namedSchema, allowedSchema])),
  parallel_tool_calls: absent(z.boolean()),
  functions: absent(z.array(z.unknown())),
  response_format: absent(
    z.looseObject({ type: z.string(), json_schema: absent(z.looseObject({ schema: absent(z.unknown()) })) }),
  ),
};

const fieldsSchema = z.object(toolFields);
type Fields = z.output<typeof fieldsSchema>;

export function chatTools({ tools, functions, tool_choice: choice }: Fields): GenerationTool[] {
  if (functions && functions.length > 0) {
    throw new ApiError("unsupported_parameter", "'functions' is not supported. Send 'tools'.", { param: "functions" });
  }
  const all = (tools ?? []).map(({ type, function: said }, index) => {
    const param = `tools.${index}.function`;
    if (type !== "function") {
      const message = `Only tools of type 'function' can be used, not '${type}'.`;
      throw new ApiError("unsupported_parameter", message, { param: `tools.${index}.type` });
    }
    if (!said) throw new ApiError("missing_required_parameter", `Missing required parameter: '${param}'.`, { param });
    const { name, description, parameters = {}, strict = false } = said;
    return { name, parameters, strict, param, ...(description !== undefined && { description }) };
  });
  return allowed(all, choice);
}

function allowed(tools: readonly GenerationTool[], choice: Fields["tool_choice"]): GenerationTool[] {
  if (typeof choice !== "object" || choice.type !== "allowed_tools") return [...tools];
  const names = choice.allowed_tools.tools.map((tool) => tool.function.name);
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name));
  if (unknown !== undefined) throw unknownTool(unknown);
  return tools.filter(({ name }) => names.includes(name));
}

function unknownTool(name: string): ApiError {
  return new ApiError("invalid_value", `There is no tool '${name}' in 'tools'.`, { param: "tool_choice" });
}

export function toolChoice({ tool_choice: choice = "auto" }: Fields, tools: readonly GenerationTool[]) {
  if (typeof choice === "string") {
    if (choice === "required" && tools.length === 0) {
      throw new ApiError("invalid_value", "A tool is required, but 'tools' names none.", { param: "tool_choice" });
    }
    return { kind: choice } as const;
  }
  if (choice.type === "allowed_tools") return { kind: choice.allowed_tools.mode } as const;
  const { name } = choice.function;
  if (tools.some((tool) => tool.name === name)) return { kind: "named", name } as const;
  throw unknownTool(name);
}

export function answerFormat({ response_format: format }: Fields): ChatPrompt["format"] {
  const param = "response_format.json_schema.schema";
  switch (format?.type ?? "text") {
    case "text":
      return { kind: "text" };
    case "json_object":
      return { kind: "json_object" };
    case "json_schema": {
      const schema = format?.json_schema?.schema;
      if (schema !== undefined && schema !== null) return { kind: "json_schema", schema, param };
      throw new ApiError("missing_required_parameter", `Missing required parameter: '${param}'.`, { param });
    }
    default:
      throw new ApiError("unsupported_parameter", `The response format '${format?.type}' is not known.`, {
        param: "response_format.type",
      });
  }
}
