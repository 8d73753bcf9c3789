/** Models as Anthropic's `GET /v1/models` shows it. */
import type { EngineDescription } from "../../../core/contract/engine";
import type { KnownModel } from "../../live/models/known-model";

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

/** One that is not loaded: what it can do is known only afterwards. */
export function anthropicModelOnDisk({ modelId, noiseModel }: KnownModel, createdS: number): object {
  return {
    type: "model",
    id: modelId,
    display_name: noiseModel ? `${modelId} (random weights)` : modelId,
    created_at: new Date(createdS * 1000).toISOString(),
  };
}

export function anthropicModelList(data: readonly object[]): object {
  const idOf = (model: object | undefined) => (model !== undefined && "id" in model ? model.id : null);
  return { data, has_more: false, first_id: idOf(data[0]), last_id: idOf(data.at(-1)) };
}
