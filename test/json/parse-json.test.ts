/** Bodies as bytes: a large one gives what JSON.parse gives, without stopping the event loop; what cannot be read is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../electron/http/api-error";
import { depthMax, valuesMax } from "../../electron/http/json/json-scan";
import { parseJson } from "../../electron/http/json/parse-json";

const large = " ".repeat(1_100_000);

/** As a socket may cut it: in the middle of a character too. */
function pieces(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const cuts = [0, 1, 2, 5, 9, 14, 40, 41, 43, 70, bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

async function refusal(text: string | Buffer): Promise<ApiError> {
  const error: unknown = await parseJson([Buffer.from(text as string)]).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`It was not refused: ${error}`);
  return error;
}

describe.each([
  ["small", ""],
  ["large", large],
])("a %s body", (_size, padding) => {
  const parse = (text: string) => parseJson(pieces(text + padding));

  it("gives the value that JSON.parse gives", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 5, noUnicodeString: false }), async (text) => {
        expect(await parse(text)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: padding === "" ? 300 : 40, seed: 7 },
    );
  });

  it.each([
    '{"text":"\\u00e9\\ud83d\\ude00\\n\\"\\\\ é😀 ","n":[-0.5,1e21,12345678901234567890,1E-7],"t":[true,false,null]}',
    '{"a":{},"b":[],"":"","a":1}',
    "[[[[]]],{}]",
    '"text"',
    "17",
  ])("reads %s", async (text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });

  it.each(['{"a":', '{"a" 1}', "[1,]", "{} {}", '{"a":"b', "tru", "nul l", '"\\x"', "[1 2]", "]", "{'a':1}"])(
    "is refused where it is no JSON: %s",
    async (text) => {
      const { code, status, message } = await refusal(text + padding);
      expect([code, status]).toEqual(["invalid_json", 400]);
      expect(message).toMatch(/^The body is not valid JSON: .+\.$/);
    },
  );

  it("is refused where it is no UTF-8", async () => {
    const { message } = await refusal(
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from(`"}${padding}`)]),
    );
    expect(message).toBe("The body is not valid JSON: it is not UTF-8.");
  });

  it("may be nested, but not without end", async () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(await parse(nested(depthMax))).toBeInstanceOf(Array);
    expect(await refusal(nested(depthMax + 1) + padding)).toMatchObject({ code: "request_too_large", status: 413 });
    expect(await parse(JSON.stringify(nested(depthMax + 1)))).toBe(nested(depthMax + 1));
  });

  it("may begin with a byte order mark", async () => {
    expect(await parse('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });
});

describe("a body", () => {
  it("that is empty is nothing at all", async () => {
    expect(await parseJson([])).toBeUndefined();
    expect(await parseJson([Buffer.from(" \n")])).toBeUndefined();
  });

  it("of very many values is refused before it fills the memory", async () => {
    const error = await refusal(`[${"1,".repeat(valuesMax)}1]`);
    expect(error).toMatchObject({ code: "request_too_large" });
    expect(error.message).toBe("The body holds more than 2000000 values, which is the limit.");
  });

  it("of many megabytes leaves the event loop its turns", async () => {
    const messages = Array.from({ length: 12_000 }, (_, index) => ({ role: "user", content: `${index} `.repeat(200) }));
    const bytes = Buffer.from(JSON.stringify({ messages }));
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    const value = await parseJson([bytes]);
    clearInterval(count);
    expect(value).toEqual({ messages });
    expect(turns).toBeGreaterThan(5);
  });
});
