/**
 * `--journal FILE`: every input and event in a file, one JSON object a line, so that a run can be replayed exactly. Only on
 * request: it holds the prompts as tokens. A disk that fails ends the journal, never the server.
 */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { PolicyName } from "../../core/contract/policy-name";
import type { SchedulerConfig } from "../../core/topas/config";
import type { TopasEvent } from "../../core/topas/events";
import type { Input } from "../../core/topas/inputs";
import type { LiveView } from "../../core/view/view";

export type JournalLine =
  | {
      readonly kind: "journal";
      readonly version: 1;
      readonly policy: PolicyName;
      readonly config: SchedulerConfig;
      /** What was before this line, in a part that is not a run's first. */
      readonly view?: LiveView;
    }
  | { readonly kind: "input"; readonly input: Input }
  | { readonly kind: "event"; readonly event: TopasEvent };

export interface Journal {
  write(line: JournalLine): void;
  /** Resolves when everything is in the file, or when it failed before. */
  close(): Promise<void>;
}

/** After so many bytes it ends, with a word to `onProblem`. */
export const journalBytesMax = 1024 ** 3;

/** Rejects when the file cannot be opened. An existing file is written over. */
export async function openJournal(file: string, onProblem: (message: string) => void): Promise<Journal> {
  const stream = createWriteStream(file, { mode: 0o600 });
  await once(stream, "open").catch((error: Error) => {
    throw new Error(`The journal cannot be written: ${error.message}. Name another file with --journal.`);
  });
  let bytes = 0;
  let isOver = false;
  const end = (message: string) => {
    if (isOver) return;
    isOver = true;
    onProblem(message);
  };
  stream.on("error", (error) => end(`The journal ${file} ends here: ${error.message}. The server goes on.`));

  return {
    write(line) {
      if (isOver) return;
      const text = `${JSON.stringify(line)}\n`;
      bytes += Buffer.byteLength(text);
      if (bytes > journalBytesMax) return end(`The journal ${file} is full and ends here. The server goes on.`);
      stream.write(text);
    },
    async close() {
      if (stream.errored) return;
      isOver = true;
      await new Promise<void>((resolve) => stream.end(resolve));
    },
  };
}
