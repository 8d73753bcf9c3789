/**
 * Takes prompts and answers out of what is written down and leaves all that scheduling depends on. A token becomes a number that
 * stands for it and all tokens before it, so two sequences agree exactly as far as they did, lengths and reuse included, and
 * the run still replays; but the same word has another number at each place, and nobody without the key can tell which it was.
 * The key is made anew for each run and never leaves this object.
 */
import { createCipheriv, randomBytes } from "node:crypto";
import type { BatchResult } from "../../core/contract/engine";
import type { RequestId, Token } from "../../core/contract/ids";
import type { TopasEvent } from "../../core/topas/events";
import type { Input, RequestSpec } from "../../core/topas/inputs";

const blockBytes = 16;
/** Numbers below it: where two sequences part, both get the same number once in sixteen million times. More would only pack worse. */
const numbersMax = 2 ** 24;

/** A request's sequence, prompt and answer, and where its chain goes on. */
interface Sequence {
  readonly numbers: Token[];
  last: Buffer;
}

export class PrivateLines {
  readonly #key = randomBytes(32);
  /** Of the requests that are open. */
  readonly #sequences = new Map<RequestId, Sequence>();

  input(input: Input): Input {
    switch (input.kind) {
      case "request.submitted":
        return { ...input, request: this.#withoutText(input.request, this.#begin(input.request.promptTokens).numbers) };
      case "batch.stepped":
      case "batch.finished":
        return { ...input, result: this.#answersOf(input.result) };
      default:
        return input;
    }
  }

  event(event: TopasEvent): TopasEvent {
    switch (event.kind) {
      case "request.arrived": {
        const sequence = this.#begin(event.request.promptTokens);
        this.#sequences.set(event.request.requestId, sequence);
        return { ...event, request: this.#withoutText(event.request, [...sequence.numbers]) };
      }
      case "batch.started": {
        const work = event.batch.work.map((piece) => {
          const known = this.#sequences.get(piece.requestId)?.numbers ?? [];
          return { ...piece, tokens: known.slice(piece.position, piece.position + piece.tokens.length) };
        });
        return { ...event, batch: { ...event.batch, work } };
      }
      case "batch.stepped":
      case "batch.finished": {
        const told = this.#answersOf(event);
        for (const { requestId, token } of event.answers) {
          const sequence = this.#sequences.get(requestId);
          if (sequence === undefined) continue;
          const { numbers, last } = this.#chain([token], sequence.last);
          sequence.numbers.push(...numbers);
          sequence.last = last;
        }
        return told;
      }
      case "request.finished":
      case "request.cancelled":
      case "request.failed":
        this.#sequences.delete(event.requestId);
        return event;
      default:
        return event;
    }
  }

  /** As they follow what the sequences hold now: an input and its events are given the same numbers. */
  #answersOf<Told extends Pick<BatchResult, "answers">>(told: Told): Told {
    const answers = told.answers.map(({ requestId, token, ended }) => {
      const last = this.#sequences.get(requestId)?.last;
      const number = last === undefined ? 0 : (this.#chain([token], last).numbers[0] ?? 0);
      return { requestId, token: number, text: "", heldText: "", ended };
    });
    return { ...told, answers };
  }

  #begin(tokens: readonly Token[]): Sequence {
    return this.#chain(tokens, Buffer.alloc(blockBytes));
  }

  /** Each token is a block of its own, and each enciphered block depends on all before it: that is what CBC does. */
  #chain(tokens: readonly Token[], before: Buffer): Sequence {
    const cipher = createCipheriv("aes-256-cbc", this.#key, before).setAutoPadding(false);
    const plain = Buffer.alloc(tokens.length * blockBytes);
    for (const [index, token] of tokens.entries()) plain.writeInt32LE(token, index * blockBytes);
    const hidden = cipher.update(plain);
    const numbers = tokens.map((_, index) => hidden.readUInt32LE(index * blockBytes) % numbersMax);
    return { numbers, last: tokens.length === 0 ? before : Buffer.from(hidden.subarray(-blockBytes)) };
  }

  /** Grammars, favoured tokens and stop texts are the client's words; how it samples is not. */
  #withoutText(request: RequestSpec, promptTokens: readonly Token[]): RequestSpec {
    const { grammar: _grammar, logitBias: _bias, ...sampling } = request.sampling;
    return { ...request, promptTokens, sampling, stop: [] };
  }
}
