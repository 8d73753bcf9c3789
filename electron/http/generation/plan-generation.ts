/** Makes of a request what the engine is asked: each prompt's source. Refuses by name what cannot be done yet. */
import type { EngineDescription, PromptSource } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import type { ChatPrompt, GenerationPrompt, GenerationRequest } from "./generation-request";

export interface GenerationPlan {
  readonly sources: readonly PromptSource[];
}

export function planGeneration(
  _engine: EngineDescription,
  { prompts }: Pick<GenerationRequest, "prompts">,
): GenerationPlan {
  return { sources: prompts.map(promptSource) };
}

function promptSource(prompt: GenerationPrompt): PromptSource {
  if (prompt.kind !== "chat") return prompt;
  refuseUnsupported(prompt);
  return { kind: "chat", messages: prompt.messages, templateOptions: prompt.templateOptions };
}

function refuseUnsupported({ tools, toolChoice, format }: ChatPrompt): void {
  if (tools.length > 0 && toolChoice.kind !== "none") {
    throw new ApiError("unsupported_parameter", "Tools are not supported yet.", { param: "tools" });
  }
  if (format.kind !== "text") {
    throw new ApiError("unsupported_parameter", "JSON schemas are not supported yet.", { param: "format" });
  }
}
