/** A simulated machine by its name or from a file. */
import { builtinProfiles } from "../../core/sim/profile/builtin-profiles";
import type { MachineProfile } from "../../core/sim/profile/profile";
import { badFile, badInput } from "./bad-input";
import { readJsonFile } from "./json-file";
import { profileSchema } from "./profile-schema";
import { isFile } from "./read-workload";
import { problemsOf, sentenceOf } from "./schema-problems";

/** Throws `OptionsEnded`. */
export function readProfile(from: string): MachineProfile {
  const builtin = builtinProfiles.find(({ name }) => name === from);
  if (builtin !== undefined) return builtin;
  if (isFile(from)) return readProfileFile(from);
  const names = builtinProfiles.map(({ name }) => name).join(", ");
  throw badInput(`There is no profile "${from}". There are ${names}, and files whose names end in .json.`);
}

/** Throws `OptionsEnded`. */
export function readProfileFile(file: string): MachineProfile {
  const read = profileSchema.safeParse(readJsonFile(file), { error: sentenceOf });
  if (!read.success) throw badFile(file, problemsOf(read.error));
  return read.data;
}
