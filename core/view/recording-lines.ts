/** Writes kept history as a recording: a head with the view it begins with, then every event, one JSON object a line. */
import type { History } from "./history";
import { recordingVersion } from "./recording";
import type { LiveView } from "./view";

/** Events made into text at once, so that a caller that waits between pieces never holds all of it. */
const pieceEvents = 500;

export function* recordingLines(history: History<LiveView>): Generator<string> {
  const { earliest, firstNumber, lastNumber } = history;
  // The latest policy change before it is in the view; `config` is left out, for nothing can be replayed from views.
  yield `${JSON.stringify({ kind: "journal", version: recordingVersion, policy: earliest.policy, view: earliest })}\n`;
  for (let from = firstNumber + 1; from <= lastNumber; from += pieceEvents) {
    const events = history.eventsBetween(from, Math.min(lastNumber, from + pieceEvents - 1));
    yield events.map((event) => `${JSON.stringify({ kind: "view", event })}\n`).join("");
  }
}
