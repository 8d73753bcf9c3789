/**
 * Looks over the bytes of a JSON text before it is parsed: nested or divided without end it would take memory by the gigabyte,
 * and the process with it. It does not check the text; that is the parser's.
 */
import { ApiError } from "../api-error";

export const depthMax = 256;
export const valuesMax = 2_000_000;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export class JsonScan {
  #depth = 0;
  #values = 1;
  #inText = false;
  #escaped = false;

  /** The bytes that follow on those taken before. Throws an `ApiError`. */
  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#inText) this.#takeText(byte);
      else if (byte === quote) this.#inText = true;
      else if (byte === openList || byte === openObject) this.#depth += 1;
      else if (byte === closeList || byte === closeObject) this.#depth -= 1;
      else if (byte === comma) this.#values += 1;
      if (this.#depth > depthMax) throw tooMuch(`is nested more than ${depthMax} levels deep`);
    }
    if (this.#values > valuesMax) throw tooMuch(`holds more than ${valuesMax} values`);
  }

  #takeText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inText = false;
  }
}

function tooMuch(what: string): ApiError {
  return new ApiError("request_too_large", `The body ${what}, which is the limit.`);
}
