/** How each family of models marks its calls. The marks are searched; what stands between them is read as JSON calls. */
import type { ToolFormat } from "../../../core/contract/engine";

export interface CallSyntax {
  /** Any of them begins calls. */
  readonly opens: readonly string[];
  /** Ends the calls; without one they end with the answer. */
  readonly closes: readonly string[];
  /** What stands inside. `named`: the name stands outside the JSON, between an opening mark and `nameEnd`. */
  readonly inside: "objects" | "named";
  readonly nameEnd: string;
  /** Calls may come without a mark, as the whole answer, if they name one of these tools. */
  readonly bareNames: readonly string[];
}

interface Named {
  readonly name: string;
}

const objects = { inside: "objects", nameEnd: "", bareNames: [] } as const;
const tags: CallSyntax = { ...objects, opens: ["<tool_call>"], closes: ["</tool_call>"] };

/** A forced answer is one of the grammars of forced-calls.ts. */
export function callSyntaxFor(format: ToolFormat, isForced: boolean, tools: readonly Named[]): CallSyntax {
  const bareNames = tools.map(({ name }) => name);
  if (isForced) return { ...tags, bareNames };
  switch (format) {
    case "hermes":
      return tags;
    case "generic":
      return { ...tags, bareNames };
    case "llama3":
      return { ...objects, opens: ["<|python_tag|>"], closes: ["<|eom_id|>", "<|eot_id|>"], bareNames };
    case "mistral":
      return { ...objects, opens: ["[TOOL_CALLS]"], closes: [], bareNames };
    case "list":
      return { ...objects, opens: ["<|tool_call|>", "functools"], closes: ["<|/tool_call|>"], bareNames };
    case "command-r":
      return { ...objects, opens: ["<|START_ACTION|>"], closes: ["<|END_ACTION|>"], bareNames };
    case "functionary":
      return { opens: ["<function="], closes: ["</function>"], inside: "named", nameEnd: ">", bareNames: [] };
    case "deepseek":
      return {
        opens: ["<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "<｜tool▁call▁begin｜>"],
        closes: ["<｜tool▁call▁end｜>"],
        inside: "named",
        nameEnd: "\n",
        bareNames: [],
      };
    case "qwen-coder":
      return { ...tags, bareNames };
    default:
      return format satisfies never;
  }
}
