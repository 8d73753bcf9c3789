/**
 * The tools of one request: what the model is told of them, and how a call by the model's name becomes an item of the API.
 *
 *   function                    -> as it is
 *   namespace                   -> its functions, as `namespace__name`; the client gets namespace and bare name back
 *   custom (free text)          -> a function with one text, `input`; its grammar, if any, is shown to the model
 *   local_shell, shell, …       -> a function (client-tools.ts)
 *   web_search, mcp and others  -> dropped: only OpenAI's servers can run them, and clients send them unasked
 */
import { z } from "zod";
import { ApiError } from "../api-error";
import type { GenerationTool } from "../generation/generation-request";
import { absent } from "../zod-absent";
import { type ClientTool, clientTools } from "./client-tools";

export type CallKind =
  | { readonly kind: "function"; readonly name: string; readonly namespace: string | null }
  | { readonly kind: "custom"; readonly name: string; readonly namespace: string | null }
  | { readonly kind: "client"; readonly tool: ClientTool };

export const toolSchema = z.looseObject({ type: z.string() });
export type Tool = z.output<typeof toolSchema>;

const named = {
  name: z.string().regex(/^[\w.-]{1,128}$/, "1 to 128 letters, digits, '_', '-' or '.' are possible"),
  description: absent(z.string()),
};
const functionSchema = z.looseObject({
  ...named,
  parameters: absent(z.record(z.string(), z.unknown())),
  strict: absent(z.boolean()),
});
const customSchema = z.looseObject({
  ...named,
  format: absent(z.looseObject({ type: z.string(), syntax: absent(z.string()), definition: absent(z.string()) })),
});
const namespaceSchema = z.looseObject({ ...named, tools: z.array(toolSchema) });

const inputOnly = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

export class ToolBook {
  readonly tools: GenerationTool[] = [];
  /** Types that were dropped. */
  readonly dropped: string[] = [];
  /** As they are given back in the response, in order. */
  readonly echo: object[] = [];
  readonly #kinds = new Map<string, CallKind>();

  constructor(tools: readonly Tool[], param = "tools") {
    for (const [index, tool] of tools.entries()) this.#add(tool, `${param}.${index}`, null);
  }

  /** A name that is in no tool can only be one that the model made up; the client may say so to it. */
  kindOf(modelName: string): CallKind {
    return this.#kinds.get(modelName) ?? { kind: "function", name: modelName, namespace: null };
  }

  has(modelName: string): boolean {
    return this.#kinds.has(modelName);
  }

  #add(tool: Tool, param: string, namespace: string | null): void {
    switch (tool.type) {
      case "function":
        return this.#addFunction(tool, param, namespace);
      case "custom":
        return this.#addCustom(tool, param, namespace);
      case "namespace":
        return this.#addNamespace(tool, param);
      default:
        return this.#addOther(tool, param);
    }
  }

  #addFunction(tool: Tool, param: string, namespace: string | null): void {
    const { name, description, parameters, strict } = read(functionSchema, tool, param);
    if (namespace === null) {
      this.echo.push({
        ...tool,
        strict: strict ?? false,
        description: description ?? null,
        parameters: parameters ?? null,
      });
    }
    const shown = {
      description,
      parameters: parameters ?? { type: "object", properties: {} },
      strict: strict ?? false,
    };
    this.#note(modelName(name, namespace), { kind: "function", name, namespace }, shown, param);
  }

  #addCustom(tool: Tool, param: string, namespace: string | null): void {
    const { name, description, format } = read(customSchema, tool, param);
    if (namespace === null) this.echo.push(tool);
    const grammar =
      format?.definition === undefined
        ? []
        : [`The input must obey this ${format.syntax ?? ""} grammar:`, format.definition];
    const words = [...(description === undefined ? [] : [description]), ...grammar].join("\n");
    const shown = { description: words === "" ? undefined : words, parameters: inputOnly, strict: true };
    this.#note(modelName(name, namespace), { kind: "custom", name, namespace }, shown, param);
  }

  #addNamespace(tool: Tool, param: string): void {
    const { name, tools } = read(namespaceSchema, tool, param);
    this.echo.push(tool);
    for (const [index, inner] of tools.entries()) this.#add(inner, `${param}.tools.${index}`, name);
  }

  #addOther(tool: Tool, param: string): void {
    this.echo.push(tool);
    const own = Object.hasOwn(clientTools, tool.type) ? clientTools[tool.type] : undefined;
    if (own === undefined) {
      this.dropped.push(tool.type);
      return;
    }
    this.#note(tool.type, { kind: "client", tool: own }, { ...own, strict: true }, param);
  }

  #note(
    name: string,
    kind: CallKind,
    shown: Pick<GenerationTool, "parameters" | "strict"> & { readonly description: string | undefined },
    param: string,
  ): void {
    if (this.#kinds.has(name)) {
      throw new ApiError("invalid_value", `Tool names must be unique; '${name}' is there twice.`, { param });
    }
    this.#kinds.set(name, kind);
    const { description, parameters, strict } = shown;
    this.tools.push({ name, ...(description === undefined ? {} : { description }), parameters, strict, param });
  }
}

/** The name by which the model knows a function. */
export function modelName(name: string, namespace: string | null | undefined): string {
  return namespace ? `${namespace}__${name}` : name;
}

function read<Schema extends z.ZodType>(schema: Schema, tool: Tool, param: string): z.output<Schema> {
  const result = schema.safeParse(tool);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = [param, ...(issue?.path ?? [])].join(".");
  throw new ApiError("invalid_value", `Wrong value for '${path}': ${issue?.message ?? "not as it should be"}.`, {
    param: path,
  });
}
