/** Ten thousand bodies that are nearly right, of every endpoint: always a status and a body in the shape of the caller's API, and nothing breaks inside. */
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { seededChance } from "../support/seeded-chance";
import { Fuzzer, type FuzzTarget } from "./fuzz-bodies";
import { startServer } from "./start-server";

const cases = 10_000;
const atOnce = 16;

const text = { type: "string", minLength: 1 };
const textOrNull = { type: ["string", "null"] };
const ajv = new Ajv();
const isOpenAiError = ajv.compile({
  ...{ type: "object", required: ["error"], additionalProperties: false },
  properties: {
    error: {
      ...{ type: "object", required: ["message", "type", "param", "code"] },
      properties: { message: text, type: text, param: textOrNull, code: text },
    },
  },
});
const isAnthropicError = ajv.compile({
  ...{ type: "object", required: ["type", "error", "request_id"] },
  properties: {
    ...{ type: { const: "error" }, request_id: text },
    error: { type: "object", required: ["type", "message"], properties: { type: text, message: text } },
  },
});

/** Null: it is as it should be. */
async function faultOf(target: FuzzTarget, response: Response): Promise<string | null> {
  const answer = await response.text();
  if (!response.headers.get("x-request-id")) return "no x-request-id";
  if (response.status >= 500) return `status ${response.status}: ${answer.slice(0, 500)}`;
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return /(data: \[DONE\]|event: (response\.(completed|incomplete|failed)|message_stop|error)\ndata: .*)\n\n$|data: \{"error".*\n\n$/.test(
      answer,
    )
      ? null
      : `an unfinished stream: ${answer.slice(-300)}`;
  }
  const body: unknown = JSON.parse(answer);
  if (response.ok) return typeof body === "object" && body !== null ? null : "no object";
  const isError = target.isAnthropic ? isAnthropicError : isOpenAiError;
  return isError(body) ? null : `an error of another shape: ${answer.slice(0, 500)}`;
}

it(`${cases.toLocaleString("en-US")} bodies are answered in the right shape`, async () => {
  const { origin, live, loggedErrors } = await startServer({
    answers: ["a", "b"],
    engine: { slots: 64, slotTokens: 4096 },
  });
  const fuzzer = new Fuzzer(seededChance(20_261_207));
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let left = cases;
  const client = async () => {
    while (left > 0 && faults.length < 20) {
      left -= 1;
      const target = fuzzer.target();
      const body = fuzzer.body(target.body);
      const headers = {
        "content-type": "application/json",
        ...(target.isAnthropic && { "anthropic-version": "2023-06-01" }),
      };
      const response = await fetch(`${origin}${target.path}`, { method: target.method, headers, body });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const fault = await faultOf(target, response);
      if (fault !== null) faults.push(`${target.path}: ${fault} for ${Buffer.from(body).toString().slice(0, 1500)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  expect(faults).toEqual([]);
  expect(loggedErrors).toEqual([]);
  expect(live.requests.filter(({ ended }) => !ended)).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  // Both kinds of answers came, or nothing would have been tried.
  expect(statuses.get(400)).toBeGreaterThan(cases / 4);
  expect(statuses.get(200)).toBeGreaterThan(cases / 20);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
});

const deep = (levels: number, open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`;
const hello = '"model":"default","messages":[{"role":"user","content":"hi"}]';
const million = (item: string) => `[${`${item},`.repeat(999_999)}${item}]`;

it.each<[string, string, string]>([
  [
    "nested tools",
    "chat/completions",
    `{${hello},"tools":[{"type":"function","function":{"name":"a","parameters":{"a":${deep(200_000, "[", "]")}}}}]}`,
  ],
  [
    "a nested schema",
    "chat/completions",
    `{${hello},"response_format":{"type":"json_schema","json_schema":{"schema":${deep(100_000, '{"items":', "}")}}}}`,
  ],
  [
    "nested template variables",
    "chat/completions",
    `{${hello},"chat_template_kwargs":{"a":${deep(200_000, "[", "]")}}}`,
  ],
  ["nested metadata", "chat/completions", `{${hello},"metadata":{"a":${deep(200_000, "[", "]")}}}`],
  [
    "nested arguments of a call",
    "chat/completions",
    `{"model":"default","messages":[{"role":"assistant","tool_calls":${deep(200_000, "[", "]")}}]}`,
  ],
  ["a million messages", "chat/completions", `{"model":"default","messages":${million("{}")}}`],
  ["a million parts", "chat/completions", `{"model":"default","messages":[{"role":"user","content":${million("5")}}]}`],
  ["a million stop texts", "chat/completions", `{${hello},"stop":${million('"a"')}}`],
  ["a million prompts", "completions", `{"model":"default","prompt":${million('"a"')}}`],
  ["a million wrong tokens", "completions", `{"model":"default","prompt":${million("-1")}}`],
  ["a million inputs", "embeddings", `{"model":"default","input":${million('"a"')}}`],
  ["a million items", "responses", `{"model":"default","input":${million("{}")}}`],
  ["nested items", "responses", `{"model":"default","input":${deep(200_000, "[", "]")}}`],
  [
    "a nested tool",
    "responses",
    `{"model":"default","input":"a","tools":[{"type":"function","name":"a","parameters":{"a":${deep(200_000, "[", "]")}}}]}`,
  ],
  ["a million of Claude's messages", "messages", `{"model":"default","max_tokens":1,"messages":${million("{}")}}`],
  [
    "a nested call of Claude's",
    "messages",
    `{"model":"default","max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b","input":{"a":${deep(200_000, "[", "]")}}}]}]}`,
  ],
])("%s are refused or answered, and soon", async (_what, path, body) => {
  const { url, loggedErrors } = await startServer({ answers: ["a"], engine: { slotTokens: 4096 } });
  const startedMs = performance.now();
  const response = await fetch(`${url}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  expect(response.status, text.slice(0, 300)).toBeLessThan(500);
  expect(JSON.parse(text)).toEqual(expect.any(Object));
  expect(loggedErrors).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(8_000);
});
