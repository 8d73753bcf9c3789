/**
 * One item of a response while it is made: `begin`, any number of `add`, `finish`. Each gives the events that tell of it, without
 * place and number; `object` is the item as it then stands. The kinds are in message-item.ts, thought-item.ts, call-items.ts.
 */
import { randomUUID } from "node:crypto";
import type { TokenLogprob } from "../../../core/contract/engine";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

export interface ItemEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface OutputItem {
  readonly id: string;
  begin(): ItemEvent[];
  add(text: string, logprobs?: readonly TokenLogprob[]): ItemEvent[];
  finish(): ItemEvent[];
  object(status: ItemStatus): object;
}

export function mintId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll("-", "")}`;
}
