/** Makes the encoder of a loaded model: its template with the template's own habits, and its tokenizer. */
import type { LlamaModel } from "node-llama-cpp";
import type { ChatAbilities, EngineOptions } from "../../core/contract/engine";
import { examineTemplate } from "./chat-abilities";
import { type ChatTemplate, createChatTemplate } from "./chat-template";
import type { ModelFile } from "./model-file";
import type { NativeContext } from "./native-context";
import { PromptEncoder } from "./prompt-encoder";

export function createEncoder(
  native: NativeContext,
  { tokens }: LlamaModel,
  { chatTemplate, vocabularySize }: ModelFile,
  { slotTokens }: EngineOptions,
  on: { log(line: string): void },
): { readonly encoder: PromptEncoder; readonly abilities: ChatAbilities } {
  const specialTexts = { bos: tokens.bosString ?? "", eos: tokens.eosString ?? "" };
  let render: ChatTemplate = createChatTemplate(undefined, specialTexts);
  try {
    render = createChatTemplate(chatTemplate, specialTexts);
  } catch (error) {
    on.log(`The model's chat template cannot be read, plain ChatML is used instead: ${(error as Error).message}`);
  }
  const { abilities, habits } = examineTemplate(render);
  const encoder = new PromptEncoder({
    render: (conversation) => render(conversation, habits),
    tokenize: (text, special) => native.tokenize(text, special),
    detokenize: (list) => native.detokenize(list, true),
    bosToken: tokens.shouldPrependBosToken ? tokens.bos : null,
    vocabularySize,
    slotTokens,
  });
  return { encoder, abilities };
}
