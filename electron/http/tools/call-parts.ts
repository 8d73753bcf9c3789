/** What a model's answer consists of once the marks of its calls are gone. Arguments follow their `start`, in pieces of JSON text. */
export type CallPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "start"; readonly name: string }
  | { readonly kind: "arguments"; readonly delta: string };

/** Reads one call, from behind its opening mark. */
export interface CallBody {
  push(text: string): BodyRead;
  /** The answer ended inside it: what was not told yet. */
  readonly rest: string;
}

export type BodyRead =
  | { readonly kind: "more"; readonly parts: readonly CallPart[] }
  | { readonly kind: "done"; readonly parts: readonly CallPart[]; readonly rest: string }
  /** No call after all: the text as the model wrote it. */
  | { readonly kind: "no_call"; readonly text: string };

export function argumentsPart(delta: string): CallPart[] {
  return delta === "" ? [] : [{ kind: "arguments", delta }];
}
