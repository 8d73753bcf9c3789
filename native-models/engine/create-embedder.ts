/** Makes the embedder of a loaded model, and its context when it is first needed. */
import type { Llama, LlamaEmbeddingContext, LlamaModel } from "node-llama-cpp";
import { Embedder } from "./embedder";
import type { ModelFile } from "./model-file";
import { embeddingContext, type NativeContext } from "./native-context";

const BATCH_TOKENS_MAX = 512;

interface EmbedderSize {
  readonly slotTokens: number;
  readonly threads: number;
}

export function createEmbedder(
  llama: Llama,
  model: LlamaModel,
  { vocabularySize }: ModelFile,
  { slotTokens, threads }: EmbedderSize,
): { readonly embedder: Embedder; readonly disposeEmbedder: () => Promise<void> } {
  let made: LlamaEmbeddingContext | null = null;
  const batchSize = Math.min(BATCH_TOKENS_MAX, slotTokens);
  const createContext = async (): Promise<NativeContext> => {
    made = await model.createEmbeddingContext({ contextSize: slotTokens, batchSize });
    return embeddingContext(llama, model, made, batchSize);
  };
  return {
    embedder: new Embedder({ createContext, threads, vocabularySize, slotTokens }),
    disposeEmbedder: async () => made?.dispose(),
  };
}
