/** A fetch for clients that checks each body and each chunk of a stream against OpenAI's schema before the client sees the answer's end. */
import { Ajv } from "ajv";
import { answerSchemas, chunkSchemas, errorBody } from "./schemas";

const ajv = new Ajv({ strict: false, allErrors: true });

export interface CheckedFetch {
  readonly fetch: typeof fetch;
  /** What did not obey; empty when all did. Waits for the answers that are still read. */
  problems(): Promise<readonly string[]>;
  /** Bodies and chunks that were checked. */
  readonly checked: number;
}

export function checkedFetch(): CheckedFetch {
  const problems: string[] = [];
  const reading: Promise<void>[] = [];
  let checked = 0;
  const check = (schema: object, text: string) => {
    checked += 1;
    if (!ajv.validate(schema, JSON.parse(text))) problems.push(`${ajv.errorsText()} in ${text.slice(0, 2000)}`);
  };
  return {
    async fetch(input, init) {
      const response = await fetch(input, init);
      const url = input instanceof Request ? input.url : String(input);
      reading.push(checkAnswer(new URL(url).pathname, response.clone(), check, problems));
      return response;
    },
    async problems() {
      await Promise.all(reading);
      return problems;
    },
    get checked() {
      return checked;
    },
  };
}

async function checkAnswer(
  path: string,
  response: Response,
  check: (schema: object, text: string) => void,
  problems: string[],
): Promise<void> {
  const kind = path.replace(/^\/v1\//, "");
  if (!response.headers.has("x-request-id")) problems.push(`${path} has no x-request-id`);
  const text = await response.text();
  if (!response.ok) return check(errorBody, text);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const schema = isStream ? chunkSchemas[kind] : answerSchemas[kind];
  if (schema === undefined) return;
  if (!isStream) return check(schema, text);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith(":"));
  if (lines.at(-1) !== "data: [DONE]") problems.push(`${path} does not end in [DONE]`);
  for (const line of lines.slice(0, -1)) check(schema, line.replace(/^data: /, ""));
}
