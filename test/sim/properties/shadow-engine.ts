/**
 * Does what a batch tells an engine to do, to the letter, and throws when a slot then does not hold what the plan built on:
 * a wrong copy, cut or restore would make the model go on from someone else's text. For slot pools.
 */
import { nextStep } from "../../../core/contract/batch-steps";
import type { Batch, SequenceOperation } from "../../../core/contract/engine";
import type { TopasEvent } from "../../../core/topas/events";
import type { RequestSpec } from "../../../core/topas/inputs";

export class ShadowEngine {
  readonly #slots = new Map<number, readonly number[]>();
  readonly #entries = new Map<number, readonly number[]>();
  readonly #known = new Map<string, number[]>();
  #underWay: Batch | null = null;

  take(event: TopasEvent): void {
    switch (event.kind) {
      case "request.arrived":
        return this.#arrive(event.request);
      case "batch.started":
        for (const operation of event.batch.operations) this.#operate(operation);
        this.#underWay = event.batch;
        return this.#check(event.batch);
      case "batch.stepped":
      case "batch.finished":
        this.#evaluate();
        for (const { requestId, token } of event.answers) this.#known.get(requestId)?.push(token);
        if (event.kind === "batch.finished" || this.#underWay === null) this.#underWay = null;
        else {
          this.#underWay = nextStep(this.#underWay, event.answers);
          this.#check(this.#underWay);
        }
        return;
      case "engine.ready":
      case "engine.lost":
        this.#slots.clear();
        this.#entries.clear();
        this.#underWay = null;
        return;
      default:
        return;
    }
  }

  #arrive({ requestId, promptTokens }: RequestSpec): void {
    this.#known.set(requestId, [...promptTokens]);
  }

  #operate(operation: SequenceOperation): void {
    switch (operation.kind) {
      case "copy":
        this.#slots.set(operation.to, this.#held(operation.from));
        return;
      case "cut":
        if (this.#held(operation.slot).length < operation.length)
          throw new Error(`Slot ${operation.slot} is cut beyond its end.`);
        this.#slots.set(operation.slot, this.#held(operation.slot).slice(0, operation.length));
        return;
      case "save": {
        const held = this.#held(operation.slot ?? -1);
        if (held.length !== operation.tokens) throw new Error(`Saves ${operation.tokens} of ${held.length} tokens.`);
        this.#entries.set(operation.entry, held);
        return;
      }
      case "restore": {
        const entry = this.#entries.get(operation.entry);
        if (entry?.length !== operation.tokens) throw new Error(`There is no such entry ${operation.entry}.`);
        this.#slots.set(operation.slot ?? -1, entry);
        return;
      }
      default:
        operation satisfies never;
    }
  }

  #check({ work }: Batch): void {
    for (const { requestId, slot, position, tokens } of work) {
      const held = this.#held(slot);
      const known = this.#known.get(requestId) ?? [];
      if (held.length !== position)
        throw new Error(`Slot ${slot} holds ${held.length} tokens, the plan says ${position}.`);
      if (held.some((token, at) => token !== known[at]))
        throw new Error(`Slot ${slot} holds another text than ${requestId}.`);
      if (tokens.some((token, at) => token !== known[position + at]))
        throw new Error(`${requestId} is fed wrong tokens.`);
    }
  }

  #evaluate(): void {
    for (const { slot, tokens } of this.#underWay?.work ?? []) this.#slots.set(slot, [...this.#held(slot), ...tokens]);
  }

  #held(slot: number): readonly number[] {
    return this.#slots.get(slot) ?? [];
  }
}
