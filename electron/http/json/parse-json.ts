/**
 * Turns the bytes of a body into a value. A large one is parsed in pieces with turns of the event loop between them, because
 * answers stream on the same thread: JSON.parse would stop all of them for as long as it takes.
 */
import { isUtf8 } from "node:buffer";
import { JSONParser } from "@streamparser/json";
import { ApiError } from "../api-error";
import { JsonScan } from "./json-scan";

/** Up to here JSON.parse takes a few milliseconds. */
const atOnceBytesMax = 1024 * 1024;
const pieceBytes = 32 * 1024;
const turnMs = 5;

/** `chunks` are the body as it arrived; `undefined` for an empty one. Throws an `ApiError`. */
export async function parseJson(chunks: readonly Buffer[]): Promise<unknown> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return length <= atOnceBytesMax ? parseAtOnce(withoutMark(Buffer.concat(chunks))) : parseInPieces(chunks);
}

/** Some editors and shells begin every UTF-8 text with a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function parseAtOnce(bytes: Buffer): unknown {
  checkUtf8(bytes);
  new JsonScan().take(bytes);
  const text = bytes.toString("utf8");
  // Clients name the type of a body also where they send none, as with DELETE; whoever needs one says that it is missing.
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

async function parseInPieces(chunks: readonly Buffer[]): Promise<unknown> {
  const scan = new JsonScan();
  const parser = new JSONParser({ paths: ["$"], stringBufferSize: pieceBytes });
  let value: unknown;
  parser.onValue = (parsed) => {
    value = parsed.value;
  };
  parser.onError = (error) => {
    throw notJson(error);
  };
  let turnEndsAtMs = performance.now() + turnMs;
  for (const piece of wholeCharacters(chunks)) {
    checkUtf8(piece);
    scan.take(piece);
    parser.write(piece);
    if (performance.now() < turnEndsAtMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    turnEndsAtMs = performance.now() + turnMs;
  }
  if (!parser.isEnded) throw notJson(new Error("it ends too early"));
  return value;
}

/** The same bytes in pieces that end between characters. */
function* wholeCharacters(chunks: readonly Buffer[]): Generator<Buffer> {
  let isFirst = true;
  let rest: Buffer = Buffer.alloc(0);
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = Buffer.concat([rest, chunk.subarray(at, at + pieceBytes)]);
      const end = piece.length - unfinishedBytes(piece);
      rest = piece.subarray(end);
      const whole = piece.subarray(0, end);
      yield isFirst ? withoutMark(whole) : whole;
      isFirst = false;
    }
  }
  if (rest.length > 0) yield rest;
}

/** How many bytes at the end are the beginning of a character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

function checkUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new ApiError("invalid_json", "The body is not valid JSON: it is not UTF-8.");
}

function notJson(error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError("invalid_json", `The body is not valid JSON: ${reason.replace(/\.$/, "")}.`);
}
