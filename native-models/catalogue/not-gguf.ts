/** What can be wrong with a file that should be a GGUF. The messages are the end of a sentence that names the file. */

/** The file is not a GGUF of a known version. */
export class NotGguf extends Error {
  override readonly name = "NotGguf";
}

/** The file ends before its own header does. */
export class GgufTooShort extends Error {
  override readonly name = "GgufTooShort";
}
