/** What a model's answer consists of once the marks of its calls are gone. Arguments follow their `start`, in pieces of JSON text. */
export type CallPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "start"; readonly name: string }
  | { readonly kind: "arguments"; readonly delta: string };
