/** A request the engine knows: its own sampler, grammar and text. Must never outlive its samplers. */
import { type BatchAnswer, type EngineRequest, PromptRefused, type TokenLogprob } from "../../core/contract/engine";
import type { RequestId, Token } from "../../core/contract/ids";
import { grammarState } from "./grammars";
import { LogprobReader } from "./logprob-reader";
import type { NativeContext, NativeSampler } from "./native-context";
import { samplerConfig, UNSUPPORTED_SAMPLING } from "./sampler-config";
import { TextStream } from "./text-stream";

export interface Draw {
  /** -1 when no token was left to choose from. */
  readonly token: Token;
  readonly logprob: TokenLogprob | null;
}

export interface RequestModel {
  readonly slotTokens: number;
  readonly vocabularySize: number;
  readonly endTokens: () => readonly Token[];
}

export class OpenRequest {
  readonly requestId: RequestId;
  readonly #native: NativeContext;
  readonly #sampler: NativeSampler;
  readonly #logprobs: LogprobReader | null;
  readonly #text: TextStream;

  /** Throws `PromptRefused` for options that the model or its sampler cannot obey; then nothing is left to dispose of. */
  constructor(native: NativeContext, request: EngineRequest, model: RequestModel) {
    const { requestId, sampling, generated, stop } = request;
    checkSampling(request, model.vocabularySize);
    this.requestId = requestId;
    this.#native = native;
    this.#text = new TextStream((tokens) => native.detokenize(tokens), stop);
    const { grammar, topLogprobs } = sampling;
    const state = grammar === undefined ? {} : { grammarEvaluationState: grammarState(native, grammar, generated) };
    this.#sampler = native.createSampler({ ...samplerConfig(request, model), ...state });
    this.#logprobs = topLogprobs === undefined ? null : new LogprobReader(native, topLogprobs);
    for (const token of generated) this.#text.push(token);
  }

  /** The first call to the native side is made at once, so that a draw can be queued right behind its decode. */
  async draw(logitIndex: number): Promise<Draw> {
    const token = await this.#native.sample(logitIndex, this.#sampler);
    const isAsked = this.#logprobs !== null && token >= 0;
    return { token, logprob: isAsked ? await this.#logprobs.read(logitIndex, token) : null };
  }

  /** What the client may be told of a token that was just drawn. */
  answer({ token, logprob }: Draw): BatchAnswer {
    const answer = { requestId: this.requestId, token, ...(logprob && { logprob }) };
    if (this.#native.isEndOfGeneration(token)) {
      return { ...answer, text: this.#text.finish(), heldText: "", ended: "end_of_sequence" };
    }
    const { text, stopText } = this.#text.push(token);
    const { heldText } = this.#text;
    if (stopText === null) return { ...answer, text, heldText, ended: null };
    return { ...answer, text, heldText, ended: "stop_text", stopText };
  }

  dispose(): void {
    this.#sampler.dispose();
    this.#logprobs?.dispose();
  }
}

function checkSampling({ sampling }: EngineRequest, vocabularySize: number): void {
  const unsupported = UNSUPPORTED_SAMPLING.find((option) => sampling[option] !== undefined);
  if (unsupported) throw new PromptRefused(`This engine has no sampling option ${unsupported}.`);
  const bad = sampling.logitBias?.find(({ token }) => token >= vocabularySize);
  if (bad) throw new PromptRefused(`The logit bias names ${bad.token}, the model has only ${vocabularySize} tokens.`);
}
