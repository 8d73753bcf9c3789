/** Calls of tools as items: of a function, of a free-text tool, of a tool with a type of its own. */
import type { ClientTool } from "./client-tools";
import { type ItemEvent, type ItemStatus, mintId, type OutputItem } from "./output-item";
import type { CallKind } from "./tool-book";

export class FunctionItem implements OutputItem {
  readonly id = mintId("fc");
  #arguments = "";

  constructor(
    private readonly callId: string,
    private readonly kind: Extract<CallKind, { kind: "function" }>,
  ) {}

  begin(): ItemEvent[] {
    return [];
  }

  add(text: string): ItemEvent[] {
    this.#arguments += text;
    return [{ type: "response.function_call_arguments.delta", delta: text }];
  }

  finish(): ItemEvent[] {
    const { name } = this.kind;
    return [{ type: "response.function_call_arguments.done", name, arguments: this.#arguments }];
  }

  object(status: ItemStatus): object {
    const { name, namespace } = this.kind;
    return {
      id: this.id,
      type: "function_call",
      status,
      call_id: this.callId,
      name,
      ...(namespace === null ? {} : { namespace }),
      arguments: this.#arguments,
    };
  }
}

/** Its free text comes as the one member of a JSON object, so it goes out when that is whole. */
export class CustomItem implements OutputItem {
  readonly id = mintId("ctc");
  #json = "";

  constructor(
    private readonly callId: string,
    private readonly kind: Extract<CallKind, { kind: "custom" }>,
  ) {}

  begin(): ItemEvent[] {
    return [];
  }

  add(text: string): ItemEvent[] {
    this.#json += text;
    return [];
  }

  finish(): ItemEvent[] {
    const input = this.#input();
    return [
      { type: "response.custom_tool_call_input.delta", delta: input },
      { type: "response.custom_tool_call_input.done", input },
    ];
  }

  object(status: ItemStatus): object {
    const { name, namespace } = this.kind;
    const input = status === "in_progress" ? "" : this.#input();
    const own = namespace === null ? {} : { namespace };
    return { id: this.id, type: "custom_tool_call", status, call_id: this.callId, name, ...own, input };
  }

  #input(): string {
    const { input } = parsed(this.#json);
    return typeof input === "string" ? input : this.#json;
  }
}

/** A call of a tool with a type of its own, e.g. `local_shell_call`. */
export class ClientToolItem implements OutputItem {
  readonly id: string;
  #json = "";

  constructor(
    private readonly callId: string,
    private readonly tool: ClientTool,
  ) {
    this.id = mintId(tool.idPrefix);
  }

  begin(): ItemEvent[] {
    return [];
  }

  add(text: string): ItemEvent[] {
    this.#json += text;
    return [];
  }

  finish(): ItemEvent[] {
    return [];
  }

  object(status: ItemStatus): object {
    const { callType, member, always } = this.tool;
    return {
      id: this.id,
      type: callType,
      status,
      call_id: this.callId,
      [member]: { ...always, ...parsed(this.#json) },
    };
  }
}

/** Cut off at the length limit it is no JSON: then nothing is known, and the item's status tells. */
function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
