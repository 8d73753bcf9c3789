/** Renders messages with the template inside the model's file, or as plain ChatML when it has none. Knows no tokens. */
import { Template } from "@huggingface/jinja";
import { type ChatMessage, PromptRefused, type ToolDescription } from "../../core/contract/engine";
import { type TemplateHabits, templateMessage, templateTool, USUAL_HABITS } from "./template-messages";

export interface SpecialTexts {
  readonly bos: string;
  readonly eos: string;
}

export interface Conversation {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDescription[];
  /** Further variables of the template. */
  readonly templateOptions?: Readonly<Record<string, unknown>>;
}

/** Throws `PromptRefused` when the template raises. */
export type ChatTemplate = (conversation: Conversation, habits?: TemplateHabits) => string;

export function createChatTemplate(source: string | undefined, { bos, eos }: SpecialTexts): ChatTemplate {
  if (source === undefined || source.trim() === "") return renderChatML;
  const template = new Template(source);
  return ({ messages, tools = [], templateOptions }, habits = USUAL_HABITS) => {
    try {
      return template.render({
        add_generation_prompt: true,
        ...templateOptions,
        messages: messages.map((message) => templateMessage(message, habits)),
        // Templates ask whether there are tools at all, and take an empty list for some.
        ...(tools.length > 0 && { tools: tools.map(templateTool) }),
        bos_token: bos,
        eos_token: eos,
      });
    } catch (error) {
      throw new PromptRefused(`The model's chat template does not take these messages: ${(error as Error).message}`);
    }
  };
}

function renderChatML({ messages }: Conversation): string {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
  return `${turns.join("")}<|im_start|>assistant\n`;
}
