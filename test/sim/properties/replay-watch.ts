/** Takes a run through the text of a journal and throws where its replay differs. */
import { ExactReplay } from "../../../core/sim/replay";
import type { JournalLine } from "../../../electron/trace/journal";
import type { SmallWorld } from "./small-world";

export class ReplayWatch {
  readonly #lines: string[] = [];

  write(line: JournalLine): void {
    this.#lines.push(JSON.stringify(line));
  }

  end({ policy, config }: SmallWorld): void {
    const replay = new ExactReplay(policy, config);
    for (const [index, text] of this.#lines.entries()) {
      const line: JournalLine = JSON.parse(text);
      const difference =
        line.kind === "input" ? replay.input(line.input) : line.kind === "event" ? replay.event(line.event) : null;
      if (difference !== null)
        throw new Error(`Line ${index + 1} differs: ${JSON.stringify(difference).slice(0, 500)}`);
    }
    if (replay.missingEvents > 0) throw new Error("The replay goes on after the recording.");
  }
}
