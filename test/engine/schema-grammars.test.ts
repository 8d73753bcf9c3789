/** llama.cpp reads every grammar that is made of a schema or of tools, and refuses one that holds nothing but itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EnginePort, ToolFormat } from "../../core/contract/engine";
import { formGrammar } from "../../electron/http/schema/form-grammar";
import { callsOrFormGrammar, forcedCallsGrammar } from "../../electron/http/tools/forced-calls";
import { usableSchemas } from "../schema/usable-schemas";
import { modelFolderForTests, noiseOptions, recordingObserver, startEngine } from "../support/noise-engine";

const models = modelFolderForTests();
let engine: EnginePort;
beforeAll(async () => {
  engine = await startEngine(noiseOptions(models().modelPath), recordingObserver());
});
afterAll(() => engine.shutdown());

const json_schema = (schema: unknown) => ({ kind: "json_schema", schema, param: "schema" }) as const;

test.each(usableSchemas)("%s", async (_what, schema) => {
  await engine.checkGrammar(formGrammar(json_schema(schema)) ?? "");
});

test("any object, a large one and one with many names", async () => {
  await engine.checkGrammar(formGrammar({ kind: "json_object" }) ?? "");
  const items = { type: "array", items: { type: "object", properties: { a: { type: "string" } } }, maxItems: 500 };
  await engine.checkGrammar(formGrammar(json_schema(items)) ?? "");
  const names = Array.from({ length: 300 }, (_, at) => [`name-${at}`, { type: "integer", minimum: at }]);
  const many = { type: "object", properties: Object.fromEntries(names), additionalProperties: true };
  await engine.checkGrammar(formGrammar(json_schema(many)) ?? "");
});

const formats: readonly ToolFormat[] = [
  "hermes",
  "llama3",
  "mistral",
  "functionary",
  "qwen-coder",
  "deepseek",
  "generic",
];

test.each(formats)("calls as %s writes them, alone and beside a form", async (format) => {
  const tools = usableSchemas
    .filter(([, schema]) => "properties" in schema)
    .map(([, parameters], at) => ({
      name: `tool_${at}`,
      parameters: { ...parameters },
      strict: true,
      param: `tools.${at}`,
    }));
  const asked = { tools, toolChoice: { kind: "required" }, parallelToolCalls: true } as const;
  await engine.checkGrammar(forcedCallsGrammar(format, asked));
  await engine.checkGrammar(callsOrFormGrammar(format, { ...asked, format: { kind: "json_object" } }) ?? "");
});

test("a schema that is nothing but itself", async () => {
  const grammar = formGrammar(json_schema({ $ref: "#" })) ?? "";
  await expect(engine.checkGrammar(grammar)).rejects.toThrow("begins with itself");
});
