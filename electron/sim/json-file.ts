/** Reads a JSON file; what is wrong with it is said with its line. */
import { readFileSync, statSync } from "node:fs";
import { badInput } from "./bad-input";

const bytesMax = 4 * 1024 ** 2;

/** Throws `OptionsEnded`. */
export function readJsonFile(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = placeOfError(text);
    throw badInput(`${file}: line ${line}, column ${column}: this is not JSON: ${wordsOf(cause)}.`);
  }
}

function readText(file: string): string {
  try {
    if (statSync(file).size > bytesMax) throw badInput(`${file}: the file is larger than 4 MiB.`);
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    if (code === "ENOENT") throw badInput(`${file}: there is no such file.`);
    if (code === "EISDIR") throw badInput(`${file}: this is a folder, not a file.`);
    if (code === "EACCES") throw badInput(`${file}: the file may not be read.`);
    throw cause;
  }
}

function wordsOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const words = message.replace(/ in JSON at position \d+.*$/s, "").replace(/, (\.\.\.)?".*$/s, "");
  return words.replace("JSON input", "file").replace(/^./, (letter) => letter.toLowerCase());
}

/** Lines and columns from 1. */
export function placeOfError(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, positionOfError(text)).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/**
 * The parser names the position of most errors but not that of an unexpected token. Every beginning of the text that
 * reaches it fails by it, every shorter one otherwise, so that it can be found by halving.
 */
function positionOfError(text: string): number {
  const message = errorOf(text);
  const named = /at position (\d+)/.exec(message);
  if (named !== null) return Number(named[1]);
  if (!isUnexpectedToken(message)) return text.trimEnd().length;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isUnexpectedToken(errorOf(text.slice(0, middle)))) bad = middle;
    else good = middle;
  }
  return bad - 1;
}

const isUnexpectedToken = (message: string) => /^Unexpected (token|non-whitespace)/.test(message);

function errorOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
