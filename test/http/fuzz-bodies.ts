/** Bodies that are nearly right: a right one of each endpoint with one thing broken, as JSON or as bytes. */

export interface FuzzTarget {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly isAnthropic?: boolean;
  readonly body: object;
}

const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "Hello" }] },
];
const parameters = { type: "object", properties: { city: { type: "string", minLength: 1 } }, required: ["city"] };
const drawn = { temperature: 0.5, top_p: 0.9, seed: 3, stop: ["x"], max_tokens: 4, metadata: { a: "b" }, user: "me" };
const tools = [{ type: "function", function: { name: "weather", description: "w", parameters, strict: true } }];
const call = { id: "c1", type: "function", function: { name: "weather", arguments: "{}" } };
const schema = { type: "object", properties: { a: { anyOf: [{ type: "integer", minimum: 3 }, { $ref: "#" }] } } };
const input = [
  { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
  { type: "function_call", call_id: "c1", name: "weather", arguments: "{}" },
  { type: "function_call_output", call_id: "c1", output: "sunny" },
];
const claude = {
  ...{ model: "default", max_tokens: 5, system: [{ type: "text", text: "Be brief." }] },
  messages: [
    { role: "user", content: [{ type: "text", text: "Hi" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "weather", input: { city: "Bern" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "sunny" }] },
  ],
  tools: [{ name: "weather", description: "w", input_schema: parameters }],
  tool_choice: { type: "auto" },
  stop_sequences: ["x"],
  metadata: { user_id: "me" },
};

export const fuzzTargets: readonly FuzzTarget[] = [
  {
    ...{ method: "POST", path: "/v1/chat/completions" },
    body: {
      ...{ model: "default", messages, stream: true, stream_options: { include_usage: true }, ...drawn },
      ...{ n: 2, logprobs: true, top_logprobs: 2, logit_bias: { 5: 1 }, presence_penalty: 1, chat_template_kwargs: {} },
    },
  },
  {
    ...{ method: "POST", path: "/v1/chat/completions" },
    body: {
      ...{ model: "default", tools, tool_choice: { type: "function", function: { name: "weather" } } },
      messages: [
        ...messages,
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "s" },
      ],
    },
  },
  {
    ...{ method: "POST", path: "/v1/chat/completions" },
    body: { model: "default", messages, response_format: { type: "json_schema", json_schema: { name: "x", schema } } },
  },
  { method: "POST", path: "/v1/completions", body: { model: "default", prompt: ["a", "b"], echo: true, ...drawn } },
  { method: "POST", path: "/v1/embeddings", body: { model: "default", input: [[1, 2], [3]], dimensions: 4 } },
  { method: "POST", path: "/v1/tokenize", body: { model: "default", content: "abc", add_special: true } },
  { method: "POST", path: "/v1/detokenize", body: { tokens: [65, 66] } },
  {
    ...{ method: "POST", path: "/v1/responses" },
    body: {
      ...{ model: "default", input, instructions: "Be brief.", max_output_tokens: 4, stream: true, store: true },
      tools: [{ type: "function", name: "weather", parameters, strict: true }],
      ...{
        tool_choice: "auto",
        text: { format: { type: "text" } },
        reasoning: { effort: "low" },
        metadata: { a: "b" },
      },
    },
  },
  { method: "POST", path: "/v1/responses/input_tokens", body: { model: "default", input } },
  { method: "POST", path: "/v1/messages", isAnthropic: true, body: { ...claude, stream: true } },
  { method: "POST", path: "/v1/messages/count_tokens", isAnthropic: true, body: claude },
  {
    ...{ method: "PUT", path: "/v1/workflows/crew" },
    body: {
      workflow: "Crew",
      stages: [
        { id: "a", agent: "x" },
        { id: "b", after: ["a"] },
      ],
      match: [],
    },
  },
  { method: "POST", path: "/v1/workflows/import", body: { id: "crew2", source: "a:\n  agent: x\n" } },
  { method: "PUT", path: "/v1/agents/scout", body: { workflow: "crew" } },
  { method: "PUT", path: "/v1/policy", body: { policy: "topas" } },
];

/** What a field may be given instead. Made anew each time, some are large. */
const oddValues: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, "", " ", "text", "\0", "\ud800", "🦜".repeat(50)],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { "": "" },
    { type: "text" },
    { type: "function" },
    { $ref: "#" },
    "__proto__",
    "constructor",
  ],
].map((value) => () => structuredClone(value));
const largeValues: readonly (() => unknown)[] = [
  () => "x".repeat(100_000),
  () => Array(5_000).fill("a"),
  () => Array(5_000).fill({}),
  () => Array(5_000).fill(1),
  () => nested(5_000, (inner) => [inner]),
  () => nested(5_000, (inner) => ({ a: inner })),
  () => nested(500, (inner) => ({ type: "object", properties: { a: inner } })),
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, at])),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

export class Fuzzer {
  constructor(private readonly chance: () => number) {}

  target(): FuzzTarget {
    return this.#one(fuzzTargets);
  }

  body(right: object): Buffer<ArrayBuffer> {
    if (this.chance() < 0.15) return this.#brokenBytes(right);
    const body = structuredClone(right) as Record<string, unknown>;
    const times = 1 + Math.floor(this.chance() * 3);
    for (let time = 0; time < times; time += 1) this.#break(body);
    return Buffer.from(safeJson(body));
  }

  #break(body: Record<string, unknown>): void {
    const places = placesIn(body);
    if (places.length === 0) return;
    const place = this.#one(places);
    const kind = this.chance();
    if (kind < 0.12) delete place.holder[place.key];
    else if (kind < 0.2) place.holder[`${place.key}_more`] = this.#odd();
    else place.holder[place.key] = this.#odd();
  }

  #odd(): unknown {
    return this.#one(this.chance() < 0.06 ? largeValues : oddValues)();
  }

  #brokenBytes(right: object): Buffer<ArrayBuffer> {
    const bytes = Buffer.from(JSON.stringify(right));
    const kind = this.chance();
    if (kind < 0.3) return bytes.subarray(0, Math.floor(this.chance() * bytes.length));
    const broken = kind < 0.5 ? Buffer.alloc(Math.floor(this.chance() * 200)) : bytes;
    const changes = kind < 0.5 ? broken.length : 1 + Math.floor(this.chance() * 4);
    for (let change = 0; change < changes; change += 1) {
      broken[Math.floor(this.chance() * broken.length)] = Math.floor(this.chance() * 256);
    }
    return broken;
  }

  #one<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.chance() * values.length)] as Value;
  }
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(body: Record<string, unknown>, depth = 0): Place[] {
  const places = Object.keys(body).map((key) => ({ holder: body, key }));
  if (depth > 6) return places;
  const inner = Object.values(body).filter(
    (value) => typeof value === "object" && value !== null && !Object.isFrozen(value),
  );
  const small = inner.filter((value) => Object.keys(value as object).length < 20);
  return [...places, ...small.flatMap((value) => placesIn(value as Record<string, unknown>, depth + 1))];
}

/** `JSON.stringify` goes down level by level and would run out of stack where the text itself is no trouble. */
function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return `{"model":"default","messages":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  }
}
