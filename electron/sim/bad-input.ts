/** Something the user gave that cannot be used: a file, a name, a combination of options. Ends the command with code 2. */
import type { Problem } from "../../core/sim/workload/problem";
import { OptionsEnded } from "../app/options";

const problemsShown = 10;

export function badInput(message: string): OptionsEnded {
  return new OptionsEnded(message, 2);
}

/** One line for each problem: `FILE: PATH: MESSAGE`. */
export function badFile(file: string, problems: readonly Problem[]): OptionsEnded {
  const lines = problems
    .slice(0, problemsShown)
    .map(({ path, message }) => [file, ...(path === "" ? [] : [path]), message].join(": "));
  const more = problems.length - lines.length;
  return badInput([...lines, ...(more > 0 ? [`${file}: and ${more} more.`] : [])].join("\n"));
}
