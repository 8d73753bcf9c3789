/**
 * The grammar of an answer that has to be calls: each names a tool and obeys its schema. Where the answer has a form and calls
 * are possible too, it allows either.
 */
import type { ToolFormat } from "../../../core/contract/engine";
import type { ChatPrompt } from "../generation/generation-request";
import { formRule } from "../schema/form-grammar";
import { literal } from "../schema/gbnf";
import { SchemaRules } from "../schema/schema-rules";

type Calls = Pick<ChatPrompt, "tools" | "toolChoice" | "parallelToolCalls">;

export function forcedCallsGrammar(format: ToolFormat, prompt: Calls): string {
  const rules = new SchemaRules();
  return rules.grammar(callsRule(rules, format, prompt));
}

/** Null where the answer is free. */
export function callsOrFormGrammar(format: ToolFormat, prompt: Calls & Pick<ChatPrompt, "format">): string | null {
  const rules = new SchemaRules();
  const form = formRule(rules, prompt.format);
  return form === null ? null : rules.grammar(`${callsRule(rules, format, prompt)} | ${form}`);
}

/** A model that writes marks of text keeps them; others write the bare JSON, which needs no token of their own. */
function callsRule(rules: SchemaRules, format: ToolFormat, { tools, toolChoice, parallelToolCalls }: Calls): string {
  const usable = toolChoice.kind === "named" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  const key = format === "llama3" ? "parameters" : "arguments";
  const isTagged = format === "hermes" || format === "generic" || format === "qwen-coder";
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
  return parallelToolCalls ? `${one} (${literal("\n")} ${one})*` : one;
}

/** A tool without parameters takes an empty object. */
function argumentsSchema(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (Object.keys(parameters).length > 0) return { type: "object", ...parameters };
  return { type: "object", properties: {}, additionalProperties: false };
}
