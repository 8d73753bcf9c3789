/** A request the engine knows: its own sampler and its own text. Must never outlive its sampler. */
import type { BatchAnswer, EngineRequest } from "../../core/contract/engine";
import type { RequestId, Token } from "../../core/contract/ids";
import type { NativeContext, NativeSampler } from "./native-context";
import { samplerConfig } from "./sampler-config";
import { TextStream } from "./text-stream";

export class OpenRequest {
  readonly requestId: RequestId;
  readonly sampler: NativeSampler;
  readonly #native: NativeContext;
  readonly #text: TextStream;

  constructor(native: NativeContext, request: EngineRequest, slotTokens: number) {
    this.requestId = request.requestId;
    this.#native = native;
    this.#text = new TextStream((tokens) => native.detokenize(tokens), request.stop);
    this.sampler = native.createSampler(samplerConfig(request, slotTokens));
    for (const token of request.generated) this.#text.push(token);
  }

  /** What the client may be told of a token that was just drawn. */
  answer(token: Token): BatchAnswer {
    const { requestId } = this;
    if (this.#native.isEndOfGeneration(token)) {
      return { requestId, token, text: this.#text.finish(), heldText: "", ended: "end_of_sequence" };
    }
    const { text, stopped } = this.#text.push(token);
    return { requestId, token, text, heldText: this.#text.heldText, ended: stopped ? "stop_text" : null };
  }

  dispose(): void {
    this.sampler.dispose();
  }
}
