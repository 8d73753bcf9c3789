/** The grammar of an answer that has to be calls: each names a tool and obeys its schema. */
import type { ToolFormat } from "../../../core/contract/engine";
import type { ChatPrompt } from "../generation/generation-request";
import { literal } from "../schema/gbnf";
import { SchemaRules } from "../schema/schema-rules";

/** A model that writes marks of text keeps them; others write the bare JSON, which needs no token of their own. */
export function forcedCallsGrammar(
  format: ToolFormat,
  { tools, toolChoice, parallelToolCalls }: Pick<ChatPrompt, "tools" | "toolChoice" | "parallelToolCalls">,
): string {
  const usable = toolChoice.kind === "named" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  const key = format === "llama3" ? "parameters" : "arguments";
  const isTagged = format === "hermes" || format === "generic" || format === "qwen-coder";
  const rules = new SchemaRules();
  const calls = usable.map((tool, index) => {
    const schema = rules.add(`args-${index}`, argumentsSchema(tool.parameters), {
      param: `${tool.param}.parameters`,
      isStrict: tool.strict,
    });
    const head = `{"name": ${JSON.stringify(tool.name)}, "${key}": `;
    return `${literal(head)} ${schema} ${literal("}")}`;
  });
  const call = rules.name("call", calls.join(" | "));
  const wrapped = isTagged ? `${literal("<tool_call>\n")} ${call} ${literal("\n</tool_call>")}` : call;
  const one = rules.name("wrapped-call", wrapped);
  return rules.grammar(parallelToolCalls ? `${one} (${literal("\n")} ${one})*` : one);
}

/** A tool without parameters takes an empty object. */
function argumentsSchema(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (Object.keys(parameters).length > 0) return { type: "object", ...parameters };
  return { type: "object", properties: {}, additionalProperties: false };
}
