/** Renders messages with the template inside the model's file, or as plain ChatML when it has none. Knows no tokens. */
import { Template } from "@huggingface/jinja";
import { type ChatMessage, PromptRefused } from "../../core/contract/engine";

export interface SpecialTexts {
  readonly bos: string;
  readonly eos: string;
}

/** Throws `PromptRefused` when the template raises. */
export type ChatTemplate = (messages: readonly ChatMessage[]) => string;

export function createChatTemplate(source: string | undefined, { bos, eos }: SpecialTexts): ChatTemplate {
  if (source === undefined || source.trim() === "") return renderChatML;
  const template = new Template(source);
  return (messages) => {
    try {
      return template.render({ messages, add_generation_prompt: true, bos_token: bos, eos_token: eos });
    } catch (error) {
      throw new PromptRefused(`The model's chat template does not take these messages: ${(error as Error).message}`);
    }
  };
}

function renderChatML(messages: readonly ChatMessage[]): string {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
  return `${turns.join("")}<|im_start|>assistant\n`;
}
