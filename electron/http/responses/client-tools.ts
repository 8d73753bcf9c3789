/**
 * Tools of the Responses API that have a type of their own and are run by the client: to the model each is a function with
 * the schema below, to the client its calls are items of their own kind.
 */

export interface ClientTool {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Of the items that hold its calls and their outputs. */
  readonly callType: string;
  readonly outputType: string;
  readonly idPrefix: string;
  /** The member of the call's item that holds the model's arguments. */
  readonly member: "action" | "operation";
  /** What that member holds besides. */
  readonly always: Readonly<Record<string, unknown>>;
}

const text = { type: "string" };

export const clientTools: Readonly<Record<string, ClientTool>> = {
  local_shell: {
    description: "Runs a command on the user's machine.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "array", items: text },
        working_directory: text,
        timeout_ms: { type: "integer" },
      },
      required: ["command"],
      additionalProperties: false,
    },
    callType: "local_shell_call",
    outputType: "local_shell_call_output",
    idPrefix: "lsh",
    member: "action",
    always: { type: "exec", env: {} },
  },
  shell: {
    description: "Runs shell commands on the user's machine.",
    parameters: {
      type: "object",
      properties: { commands: { type: "array", items: text }, timeout_ms: { type: "integer" } },
      required: ["commands"],
      additionalProperties: false,
    },
    callType: "shell_call",
    outputType: "shell_call_output",
    idPrefix: "sh",
    member: "action",
    always: { timeout_ms: null, max_output_length: null },
  },
  apply_patch: {
    description: "Creates, updates or deletes one file. 'diff' is the change in V4A format; deleting needs none.",
    parameters: {
      type: "object",
      properties: { type: { enum: ["create_file", "update_file", "delete_file"] }, path: text, diff: text },
      required: ["type", "path"],
      additionalProperties: false,
    },
    callType: "apply_patch_call",
    outputType: "apply_patch_call_output",
    idPrefix: "apc",
    member: "operation",
    always: {},
  },
};

export function clientToolOfCall(itemType: string): { readonly name: string; readonly tool: ClientTool } | null {
  const found = Object.entries(clientTools).find(([, { callType }]) => callType === itemType);
  return found === undefined ? null : { name: found[0], tool: found[1] };
}

export function isClientToolOutput(itemType: string): boolean {
  return Object.values(clientTools).some(({ outputType }) => outputType === itemType);
}
