/**
 * Reads a journal from its first line to its last and checks that it is one and whole: of this version, in order, nothing left
 * out. Whoever reads it gets its entries one by one and must not use them for good before the reading has ended.
 */
import type { PolicyName } from "../../../core/contract/policy-name";
import { policies } from "../../../core/policies/policies";
import { defaultConfig, type SchedulerConfig } from "../../../core/topas/config";
import type { TopasEvent } from "../../../core/topas/events";
import type { Input } from "../../../core/topas/inputs";
import { badInput } from "../bad-input";
import { problemsOf, sentenceOf } from "../schema-problems";
import { type FileLine, journalLines } from "./journal-lines";
import { eventSchema, inputSchema } from "./journal-schema";

export type JournalEntry =
  | { readonly kind: "journal"; readonly policy: PolicyName; readonly config: SchedulerConfig }
  | { readonly kind: "input"; readonly line: number; readonly input: Input }
  | { readonly kind: "event"; readonly line: number; readonly event: TopasEvent }
  /** Only where a cut journal is wanted: the last line is not whole. */
  | { readonly kind: "cut"; readonly line: number };

const version = 1;

const writeAnew = "Record the run anew, or take the file as it was written.";
const untilCut = "Add --until-cut to use it up to there.";

/** The place of what is wrong, in every message the same. */
const place = (file: string, line: number) => `${file}: line ${line}`;

/** For a journal whose end is missing. `line` is the last one there is. */
export function cutJournal(file: string, line: number, what: string) {
  return badInput(`${place(file, line)}: the journal is cut off here: ${what} ${untilCut}`);
}

/** Rejects with `OptionsEnded`. */
export async function* readJournal(file: string, mayBeCut: boolean): AsyncGenerator<JournalEntry> {
  let isEmpty = true;
  const order = new Order(file);
  for await (const line of journalLines(file)) {
    isEmpty = false;
    const value = parsed(line);
    if (line.line === 1) yield headOf(file, value);
    else if (value !== undefined) yield* order.entry(line.line, value);
    else if (line.isWhole) throw badInput(`${place(file, line.line)}: this line is not JSON. ${writeAnew}`);
    else if (mayBeCut) yield { kind: "cut", line: line.line };
    else throw cutJournal(file, line.line, "its last line is not whole.");
  }
  if (isEmpty) throw badInput(`${place(file, 1)}: the file is empty. ${namesAJournal}`);
}

function parsed({ text }: FileLine): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const namesAJournal = "Name a recording or a file that was written with --journal.";

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function headOf(file: string, value: unknown): JournalEntry {
  const at = place(file, 1);
  if (fieldOf(value, "kind") !== "journal") {
    throw badInput(`${at}: this is not a journal: it does not begin as one. ${namesAJournal}`);
  }
  if (fieldOf(value, "view") !== undefined) {
    throw badInput(
      `${at}: the journal begins in the middle of its run, because older parts of it were deleted: it can be opened and turned into a trace, but not replayed.`,
    );
  }
  const written = fieldOf(value, "version");
  if (written !== version) {
    const which = JSON.stringify(written) ?? "none";
    throw badInput(
      `${at}: the journal has version ${which}, this app reads version ${version}. Use the app that wrote it.`,
    );
  }
  const name = fieldOf(value, "policy");
  const policy = (Object.keys(policies) as readonly PolicyName[]).find((one) => one === name);
  if (policy === undefined) {
    const known = Object.keys(policies).join(", ");
    throw badInput(
      `${at}: policy: there is no policy ${JSON.stringify(name)}. There are ${known}. Use the app that wrote it.`,
    );
  }
  return { kind: "journal", policy, config: configOf(at, fieldOf(value, "config")) };
}

/** A configuration with other numbers than this scheduler knows cannot give the same decisions. */
function configOf(at: string, config: unknown): SchedulerConfig {
  const wrong = wrongField(config, defaultConfig, "config");
  if (wrong === null) return config as SchedulerConfig;
  throw badInput(`${at}: ${wrong} The journal is of another version of the scheduler: use the app that wrote it.`);
}

function wrongField(value: unknown, model: object, path: string): string | null {
  if (typeof value !== "object" || value === null) return `${path}: this must be an object.`;
  const unknown = Object.keys(value).find((name) => !(name in model));
  if (unknown !== undefined) return `${path}.${unknown}: there is no such field.`;
  for (const [name, known] of Object.entries(model)) {
    const field = fieldOf(value, name);
    if (typeof known === "object") {
      const wrong = wrongField(field, known, `${path}.${name}`);
      if (wrong !== null) return wrong;
    } else if (typeof field !== typeof known) return `${path}.${name}: this must be a ${typeof known}.`;
  }
  return null;
}

/** Inputs and events as they must follow each other. */
class Order {
  readonly #file: string;
  #inputs = 0;
  #eventNumber = 0;
  #atMs = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** One entry, or none for a line between two parts. */
  entry(line: number, value: unknown): readonly JournalEntry[] {
    switch (fieldOf(value, "kind")) {
      case "input":
        this.#inputs += 1;
        return [{ kind: "input", line, input: this.#input(line, fieldOf(value, "input")) }];
      case "event":
        return [{ kind: "event", line, event: this.#event(line, fieldOf(value, "event")) }];
      case "view":
        throw badInput(
          `${place(this.#file, line)}: this is a recording of what was shown, without what it followed from: it can be opened and turned into a trace, but not replayed.`,
        );
      case "journal":
        if (fieldOf(fieldOf(value, "view"), "eventNumber") === this.#eventNumber) return [];
        throw this.#edited(line, "a second journal begins here.");
      default:
        throw this.#edited(line, "kind: this must be input or event.");
    }
  }

  #input(line: number, value: unknown): Input {
    const schema = inputSchema(fieldOf(value, "kind"));
    if (schema === null)
      throw this.#edited(line, `input.kind: there is no input ${JSON.stringify(fieldOf(value, "kind"))}.`);
    const { error } = schema.safeParse(value, { error: sentenceOf });
    const [problem] = error === undefined ? [] : problemsOf(error);
    if (problem !== undefined) throw this.#edited(line, `input.${problem.path}: ${problem.message}`);
    return value as Input;
  }

  #event(line: number, value: unknown): TopasEvent {
    const { error } = eventSchema.safeParse(value, { error: sentenceOf });
    const [problem] = error === undefined ? [] : problemsOf(error);
    if (problem !== undefined) throw this.#edited(line, `event.${problem.path}: ${problem.message}`);
    const event = value as TopasEvent;
    const expected = this.#eventNumber + 1;
    if (this.#inputs === 0) throw this.#edited(line, "this event comes before any input.");
    if (event.number !== expected)
      throw this.#edited(line, `event ${event.number} does not follow: ${expected} is next.`);
    if (event.atMs < this.#atMs) {
      throw this.#edited(line, `event ${event.number} is at ${event.atMs} ms, the one before it at ${this.#atMs} ms.`);
    }
    this.#eventNumber = event.number;
    this.#atMs = event.atMs;
    return event;
  }

  #edited(line: number, what: string) {
    return badInput(`${place(this.#file, line)}: the journal was changed: ${what} ${writeAnew}`);
  }
}
