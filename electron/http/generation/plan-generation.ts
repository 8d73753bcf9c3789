/** From what was asked to what the engine is given: the prompt's source, the grammar, and how the answer is to be read. */
import type { EngineDescription, PromptSource } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { isNestedAtMost, nestingMax } from "../nesting";
import { formGrammar } from "../schema/form-grammar";
import { type CallSyntax, callSyntaxFor } from "../tools/call-syntax";
import { callsOrFormGrammar, forcedCallsGrammar } from "../tools/forced-calls";
import { withToolPrompt, withToolsAsText } from "../tools/tool-prompt";
import type { ChatPrompt, GenerationPrompt, GenerationRequest } from "./generation-request";

export interface PromptPlan {
  readonly source: PromptSource;
  /** Null: the answer is free, or as free as the request's own grammar leaves it. */
  readonly grammar: string | null;
  /** Thoughts are told from speech; only where the answer is that of a chat. */
  readonly splitsReasoning: boolean;
  /** How calls of tools are found in the answer; null: there are none. */
  readonly calls: CallSyntax | null;
  /** Calls behind so many are dropped. */
  readonly callsMax: number;
}

export interface GenerationPlan {
  readonly prompts: readonly PromptPlan[];
}

/** Throws an `ApiError` for what cannot be done: a schema that no grammar can express. */
export function planGeneration(
  engine: EngineDescription,
  { prompts }: Pick<GenerationRequest, "prompts">,
): GenerationPlan {
  return { prompts: prompts.map((prompt) => planPrompt(engine, prompt)) };
}

function planPrompt(engine: EngineDescription, prompt: GenerationPrompt): PromptPlan {
  if (prompt.kind !== "chat") {
    return { source: prompt, grammar: null, splitsReasoning: false, calls: null, callsMax: 0 };
  }
  const { tools, toolChoice, parallelToolCalls } = prompt;
  refuseDeep(prompt);
  const usesTools = tools.length > 0 && toolChoice.kind !== "none";
  const isForced = usesTools && toolChoice.kind !== "auto";
  const { toolFormat } = engine.chat;
  const grammar = isForced
    ? forcedCallsGrammar(toolFormat, prompt)
    : usesTools
      ? callsOrFormGrammar(toolFormat, prompt)
      : formGrammar(prompt.format);
  const calls = usesTools ? callSyntaxFor(toolFormat, grammar !== null, tools) : null;
  return {
    source: chatSource(engine, prompt, grammar !== null),
    grammar,
    splitsReasoning: true,
    calls,
    callsMax: parallelToolCalls ? Number.POSITIVE_INFINITY : 1,
  };
}

function refuseDeep({ tools, templateOptions }: ChatPrompt): void {
  const refuse = (param: string): never => {
    throw new ApiError("invalid_value", `Wrong value for '${param}': at most ${nestingMax} levels are possible.`, {
      param,
    });
  };
  const tool = tools.find(({ parameters }) => !isNestedAtMost(parameters, nestingMax));
  if (tool !== undefined) refuse(`${tool.param}.parameters`);
  if (!isNestedAtMost(templateOptions, nestingMax)) refuse("chat_template_kwargs");
}

/** A template that knows no tools gets them as text. Whoever is held to a form from its first token on cannot think first. */
function chatSource({ chat }: EngineDescription, prompt: ChatPrompt, isHeld: boolean): PromptSource {
  const { messages, tools, toolChoice } = prompt;
  const shown = toolChoice.kind === "none" ? [] : tools;
  const noThought = isHeld && chat.templateKnowsThinking ? { enable_thinking: false } : {};
  const templateOptions = { ...noThought, ...prompt.templateOptions };
  const options = Object.keys(templateOptions).length > 0 ? { templateOptions } : {};
  if (chat.templateKnowsTools) {
    return { kind: "chat", messages, ...(shown.length > 0 && { tools: shown.map(described) }), ...options };
  }
  return { kind: "chat", messages: withToolPrompt(withToolsAsText(messages), shown), ...options };
}

function described({ name, description, parameters }: ChatPrompt["tools"][number]) {
  return { name, parameters, ...(description !== undefined && { description }) };
}
