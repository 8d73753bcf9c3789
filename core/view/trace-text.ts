/** The JSON text of a Chrome trace, in pieces, from a beginning and the events after it. */
import { ChromeTrace, type TraceEvent } from "./chrome-trace";
import type { LiveView } from "./view";
import type { ViewEvent } from "./view-event";

export function* traceText(start: LiveView, events: Iterable<ViewEvent>): Generator<string> {
  const trace = new ChromeTrace(start);
  yield `{"displayTimeUnit":"ms","traceEvents":[\n${textOf(trace.begin())}`;
  for (const event of events) {
    const made = trace.take(event);
    if (made.length > 0) yield `,\n${textOf(made)}`;
  }
  const last = trace.end();
  yield `${last.length > 0 ? `,\n${textOf(last)}` : ""}\n]}\n`;
}

function textOf(events: readonly TraceEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join(",\n");
}
