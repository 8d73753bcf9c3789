/**
 * Reads a recording line by line, a journal or a part of one, as far as it makes sense: a file that is cut, foreign or changed is
 * shown up to there, with a sentence that names the line. Pure, so that page, server and command line read alike.
 */
import type { PolicyName } from "../contract/policy-name";
import { policies } from "../policies/policies";
import type { TopasEvent } from "../topas/events";
import { emptyView } from "./fold";
import type { LiveView } from "./view";
import { toViewEvent, type ViewEvent } from "./view-event";

export const recordingVersion = 1;

export interface RecordingProblem {
  /** From 1. */
  readonly line: number;
  /** Ends in a full stop. */
  readonly message: string;
}

/** What one line holds: nothing to show, the view it all begins with, or the next event. */
export type RecordedItem =
  | { readonly kind: "nothing" }
  | { readonly kind: "start"; readonly view: LiveView }
  | { readonly kind: "event"; readonly event: ViewEvent; readonly line: number }
  | { readonly kind: "problem"; readonly problem: RecordingProblem };

const nothing: RecordedItem = { kind: "nothing" };

/** Fields each event has to have for the fold, with their types; `a` = array, `o` = object. */
const fieldsOf: Readonly<Record<ViewEvent["kind"], Readonly<Record<string, "string" | "number" | "a" | "o">>>> = {
  "engine.ready": { slots: "number", slotTokens: "number" },
  "engine.lost": { reason: "string" },
  "policy.chosen": { policy: "string" },
  "trace.announced": {},
  "workflow.declared": { workflow: "o" },
  "workflow.withdrawn": { workflowId: "string" },
  "queue.paused": {},
  "queue.resumed": {},
  "request.moved_up": { requestId: "string", rank: "number" },
  "request.move_undone": { requestId: "string" },
  "prefix.pinned": { agent: "string" },
  "prefix.unpinned": { agent: "string" },
  "act.refused": { message: "string" },
  "request.refused": { requestId: "string", refusal: "o" },
  "task.started": { taskId: "string", taskNumber: "number" },
  "task.finished": { taskId: "string", jctMs: "number" },
  "request.arrived": { request: "o", label: "string" },
  "request.admitted": { requestId: "string", slot: "number", source: "o" },
  "request.preempted": { requestId: "string" },
  "request.requeued": { requestId: "string" },
  "request.finished": { requestId: "string" },
  "request.cancelled": { requestId: "string" },
  "request.failed": { requestId: "string" },
  "decision.made": { decision: "o" },
  "batch.started": { work: "a" },
  "batch.interrupted": {},
  "alarm.set": {},
  "batch.stepped": { drawn: "a", failedRequests: "a" },
  "batch.finished": { drawn: "a", failedRequests: "a" },
};

export class RecordingReader {
  #line = 0;
  #lastNumber: number | null = null;
  #lastAtMs = 0;
  #isOver = false;

  /** `isWhole`: a line break ended it. After a problem nothing more is read. */
  line(text: string, isWhole = true): RecordedItem {
    if (this.#isOver) return nothing;
    this.#line += 1;
    const value = parsed(text);
    if (this.#line === 1) return this.#head(value);
    if (value === undefined)
      return this.#problem(
        isWhole ? "this line is not JSON." : "the file is cut off here: its last line is not whole.",
      );
    switch (fieldOf(value, "kind")) {
      case "input":
        return nothing;
      case "event":
        return this.#event(() => toViewEvent(fieldOf(value, "event") as TopasEvent));
      case "journal":
        return this.#nextPart(fieldOf(fieldOf(value, "view"), "eventNumber"));
      case "view":
        return this.#event(() => fieldOf(value, "event") as ViewEvent);
      default:
        return this.#problem("this is no line of a recording.");
    }
  }

  /** For a file whose end could not be read at all. */
  cut(why: string): RecordedItem {
    if (this.#isOver) return nothing;
    this.#line += 1;
    return this.#problem(`the file is cut off here: ${why}`);
  }

  #head(value: unknown): RecordedItem {
    if (fieldOf(value, "kind") !== "journal")
      return this.#problem("this is not a recording of this app: it does not begin as one.");
    const version = fieldOf(value, "version");
    if (version !== recordingVersion)
      return this.#problem(`the recording has version ${String(version)}, this app reads version ${recordingVersion}.`);
    const policy = fieldOf(value, "policy");
    if (typeof policy !== "string" || !(policy in policies)) return this.#problem("its policy is not known here.");
    const view = fieldOf(value, "view");
    if (view === undefined) return this.#begin(emptyView(policy as PolicyName));
    return isView(view) ? this.#begin(view) : this.#problem("the view it begins with is not whole.");
  }

  /** A journal on disk is in parts, each with the view it begins with: it has to be the one where the part before it ended. */
  #nextPart(eventNumber: unknown): RecordedItem {
    if (eventNumber === this.#lastNumber) return nothing;
    return this.#problem("another recording begins here.");
  }

  #begin(view: LiveView): RecordedItem {
    this.#lastNumber = view.eventNumber;
    this.#lastAtMs = view.atMs;
    return { kind: "start", view };
  }

  #event(read: () => ViewEvent): RecordedItem {
    const event = attempt(read);
    const wrong = event === undefined ? "this event is not whole." : this.#wrong(event);
    if (event === undefined || wrong !== null) return this.#problem(wrong ?? "this event is not whole.");
    this.#lastNumber = event.number;
    this.#lastAtMs = event.atMs;
    return { kind: "event", event, line: this.#line };
  }

  #wrong(event: ViewEvent): string | null {
    if (typeof event?.number !== "number" || typeof event.atMs !== "number")
      return "this event has no number or no time.";
    const expected = (this.#lastNumber ?? 0) + 1;
    if (event.number !== expected) return `event ${event.number} does not follow: ${expected} is next.`;
    if (event.atMs < this.#lastAtMs) return `event ${event.number} is earlier than the one before it.`;
    if (!Object.hasOwn(fieldsOf, event.kind)) return `there is no event ${JSON.stringify(event.kind)}.`;
    const fields = fieldsOf[event.kind];
    for (const [name, type] of Object.entries(fields)) {
      const field = fieldOf(event, name);
      const fits = type === "a" ? Array.isArray(field) : type === "o" ? isObject(field) : typeof field === type;
      if (!fits) return `event ${event.number} (${String(event.kind)}) has no ${name}.`;
    }
    return null;
  }

  #problem(what: string): RecordedItem {
    this.#isOver = true;
    return { kind: "problem", problem: { line: this.#line, message: `Line ${this.#line}: ${what}` } };
  }
}

function parsed(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown);
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

function isView(value: unknown): value is LiveView {
  const model: Readonly<Record<string, unknown>> = { ...emptyView("fcfs") };
  return Object.entries(model).every(([name, known]) => {
    const field = fieldOf(value, name);
    if (known === null) return field !== undefined;
    return Array.isArray(known) ? Array.isArray(field) : typeof field === typeof known && field !== null;
  });
}
