/**
 * Why no model could be had from one place, in words for the user. It is thrown, shown and never retried blindly:
 * whoever catches it decides by `reason`.
 */
export type ModelProblemReason =
  /** The user's file is not there, or is a folder. */
  | "missing"
  | "not_gguf"
  | "truncated"
  /** The other side could not be reached in time, or a needed program is not installed. */
  | "unreachable"
  /** The other side answered, but not with the file. */
  | "refused"
  | "interrupted"
  /** The bytes are not the ones that were promised. */
  | "mismatch"
  | "disk_full"
  | "unwritable"
  | "cancelled";

export class ModelProblem extends Error {
  override readonly name = "ModelProblem";
  constructor(
    readonly reason: ModelProblemReason,
    message: string,
    readonly whatToDo: string,
  ) {
    super(message);
  }
}

/** What a failed read or write of `file` means. `neededBytes` is named when the disk is full. */
export function fileProblem(error: unknown, file: string, neededBytes: number | null = null): ModelProblem {
  if (error instanceof ModelProblem) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const why = error instanceof Error ? error.message : String(error);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new ModelProblem(
        "disk_full",
        `The disk is full: ${file} could not be written.`,
        `Free ${neededBytes === null ? "some space" : `${Math.ceil(neededBytes / 1e6)} MB`} there and try again.`,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ModelProblem(
        "unwritable",
        `No permission for ${file}.`,
        "Change its permissions, or name a model file elsewhere.",
      );
    case "ENOENT":
      return new ModelProblem("missing", `There is no file ${file}.`, "Check the path.");
    default:
      return new ModelProblem(
        "unwritable",
        `${file} cannot be used: ${why}.`,
        "Check the disk, or name another model file.",
      );
  }
}
