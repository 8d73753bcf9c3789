/** How each family of models marks its calls. The marks are searched; what stands between them is read as calls. */
import type { ToolDescription, ToolFormat } from "../../../core/contract/engine";

export interface CallSyntax {
  /** Any of them begins calls or one call. */
  readonly opens: readonly string[];
  readonly closes: readonly string[];
  /** What ends the name of a call that stands outside its arguments; a family without such names has none. */
  readonly nameEnds: readonly string[];
  /** What follows such a name. */
  readonly body: "json" | "parameters";
  /** Stands where a tool's name does, before plain text. */
  readonly textName: string | null;
  /** Calls may come without a mark, as the whole answer, if they name one of `tools`. */
  readonly isBareToo: boolean;
  readonly tools: readonly Pick<ToolDescription, "name" | "parameters">[];
}

const objects = { nameEnds: [], body: "json", textName: null, isBareToo: true } as const;
const tags = { ...objects, opens: ["<tool_call>"], closes: ["</tool_call>"] };

/** An answer that is held to a form is one of the grammars of forced-calls.ts. Marks that are control tokens are not in the text at all. */
export function callSyntaxFor(format: ToolFormat, isHeld: boolean, tools: CallSyntax["tools"]): CallSyntax {
  if (isHeld) return { ...tags, tools };
  switch (format) {
    case "hermes":
      return { ...tags, isBareToo: false, tools };
    case "generic":
      return { ...tags, tools };
    case "llama3":
      return { ...objects, opens: ["<|python_tag|>"], closes: ["<|eom_id|>", "<|eot_id|>"], tools };
    case "mistral":
      return { ...objects, opens: ["[TOOL_CALLS]"], closes: [], nameEnds: ["[ARGS]"], tools };
    case "list":
      return { ...objects, opens: ["<|tool_call|>", "functools"], closes: ["<|/tool_call|>"], tools };
    case "command-r":
      return { ...objects, opens: ["<|START_ACTION|>"], closes: ["<|END_ACTION|>"], tools };
    case "functionary":
      return { ...functionary, tools };
    case "deepseek":
      return { ...deepseek, tools };
    case "qwen-coder":
      return {
        ...{ opens: ["<tool_call>", "<function="], closes: ["</tool_call>"], nameEnds: [">"] },
        ...{ body: "parameters", textName: null, isBareToo: false, tools },
      };
    default:
      return format satisfies never;
  }
}

/** 3.1 writes `<function=name>{...}</function>`; 3.2 `>>>name`, a line's end and JSON or, under `all`, text; its prompt ends in `>>>`. */
const functionary = {
  opens: ["<function=", ">>>"],
  closes: ["</function>"],
  nameEnds: [">", "\n"],
  body: "json",
  textName: "all",
  isBareToo: true,
} as const;

/** V3 writes `function<sep>name`, a line's end and fenced JSON; V3.1 `name<sep>` and JSON. */
const deepseek = {
  opens: ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "function<｜tool▁sep｜>"],
  closes: ["```", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
  nameEnds: ["\n", "<｜tool▁sep｜>"],
  body: "json",
  textName: null,
  isBareToo: false,
} as const;
