/** The loaded model as Anthropic's `GET /v1/models` shows it. */
import type { EngineDescription } from "../../../core/contract/engine";

const no = { supported: false };
const yes = { supported: true };

export function anthropicModel(engine: EngineDescription, createdS: number): object {
  const thinking = engine.chat.templateKnowsThinking ? yes : no;
  return {
    type: "model",
    id: engine.modelId,
    display_name: engine.noiseModel ? `${engine.modelId} (random weights)` : engine.modelId,
    created_at: new Date(createdS * 1000).toISOString(),
    deprecated_at: null,
    retires_at: null,
    lifecycle: "active",
    line: null,
    max_input_tokens: engine.slotTokens,
    max_tokens: engine.slotTokens,
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      context_management: null,
      effort: { supported: false, low: no, medium: no, high: no, xhigh: no, max: no },
      image_input: no,
      pdf_input: no,
      server_tools: { supported: false, code_execution: no, web_search: no },
      structured_outputs: yes,
      thinking: {
        supported: engine.chat.templateKnowsThinking,
        types: { adaptive: thinking, between_tools: no, disabled: yes, enabled: thinking },
      },
    },
  };
}

export function anthropicModelList(engine: EngineDescription | null, createdS: number): object {
  const data = engine === null ? [] : [anthropicModel(engine, createdS)];
  const id = engine?.modelId ?? null;
  return { data, has_more: false, first_id: id, last_id: id };
}
