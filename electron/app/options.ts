/**
 * The options that the window and the headless server share, checked once. It only reads the command line; it must never
 * start or open anything.
 */
import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { EngineOptions } from "../../core/contract/engine";
import type { PolicyName } from "../../core/contract/policy-name";
import { policyNames } from "../../core/policies/policies";
import { defaultConfig } from "../../core/topas/config";

export interface ServerOptions {
  /** Null: find or fetch the starter model. */
  readonly modelPath: string | null;
  readonly slots: number;
  /** Tokens one slot can hold. */
  readonly contextTokens: number;
  readonly policy: PolicyName;
  /** Requests that may wait; one more is refused. */
  readonly queueMax: number;
  /** When the server ends, open requests may finish for so long. */
  readonly drainS: number;
  /** The models in the folders are there for requests too, not only the one that is loaded at the start. */
  readonly manyModels: boolean;
  /** A model that nobody uses is unloaded after so long; null: never. */
  readonly idleUnloadMin: number | null;
  /** 0 = any free port. */
  readonly port: number;
  readonly host: string;
  readonly apiKey: string | null;
  /** File of the named agents; null: they are gone when the server ends. */
  readonly agentsFile: string | null;
  readonly gpu: EngineOptions["gpu"];
  readonly threads: EngineOptions["threads"];
  /** File to which every input and event is written; null = none. */
  readonly journal: string | null;
  /** Most bytes of the journal that is always on, of all runs together; 0: there is none. */
  readonly keptJournalBytes: number;
  /** It holds prompts and answers too. */
  readonly journalTexts: boolean;
}

/** The command line asked for nothing that can be started: `--help` (exit code 0) or a wrong value (2). */
export class OptionsEnded extends Error {
  override readonly name = "OptionsEnded";
  constructor(
    message: string,
    readonly exitCode: 0 | 2,
  ) {
    super(message);
  }
}

/**
 * `ignored` lets flags pass that are not ours: Chromium reads its own from the same command line.
 * `refused` is for everything that runs in plain Node.
 */
export type ForeignFlags = "ignored" | "refused";

const SLOTS_MAX = 64;
const CONTEXT_TOKENS_MIN = 128;
const CONTEXT_TOKENS_MAX = 1_048_576;
const PORT_MAX = 65_535;
const THREADS_MAX = 256;
const QUEUE_MAX = 100_000;
const DRAIN_S_MAX = 86_400;
const KEPT_JOURNAL_MIB_MAX = 1_048_576;
const IDLE_MINUTES_MAX = 10_080;
const GPU_CHOICES: readonly EngineOptions["gpu"][] = ["auto", "metal", "cuda", "vulkan", "cpu"];

/** Adds the shared options to a command, for an entry that has options of its own besides (the demo). */
export function addServerOptions(
  command: Command,
  { policyChoices = policyNames, port = 8642 }: { policyChoices?: readonly string[]; port?: number } = {},
): Command {
  return command
    .option("--model <file>", "GGUF file to load (default: find or fetch the starter model)", filled("model"))
    .option("--slots <n>", "sequences that run at once", whole("slots", 1, SLOTS_MAX), 4)
    .option(
      "--context <tokens>",
      "tokens one slot can hold",
      whole("context", CONTEXT_TOKENS_MIN, CONTEXT_TOKENS_MAX),
      2048,
    )
    .addOption(new Option("--policy <name>", "who runs next").choices(policyChoices).default("topas"))
    .option(
      "--queue <n>",
      "requests that may wait; more are refused",
      whole("queue", 1, QUEUE_MAX),
      defaultConfig.waitingMax,
    )
    .option("--drain <seconds>", "how long open requests may finish at the end", whole("drain", 0, DRAIN_S_MAX), 10)
    .option("--single-model", "serve only the model that is loaded at the start", false)
    .option("--idle-unload <minutes>", "unload a model nobody uses", whole("idle-unload", 1, IDLE_MINUTES_MAX))
    .option("--port <n>", "port of the endpoint, 0 for any free one", whole("port", 0, PORT_MAX), port)
    .option("--host <address>", "address to listen on", filled("host"), "127.0.0.1")
    .addOption(
      new Option("--api-key <key>", "key that clients must send").env("TOPAS_API_KEY").argParser(filled("api-key")),
    )
    .addOption(new Option("--gpu <backend>", "where the model runs").choices(GPU_CHOICES).default("auto"))
    .option("--threads <n>", "CPU threads, or auto to measure them", threadCount, "auto")
    .option("--agents <file>", "keep named agents and the hashes of their keys in this file", filled("agents"))
    .option("--journal <file>", "write every input and event to this file, prompts too", filled("journal"))
    .option(
      "--journal-mib <n>",
      "most MiB of journal kept in the user's data folder, 0 for none",
      whole("journal-mib", 0, KEPT_JOURNAL_MIB_MAX),
      256,
    )
    .option("--journal-texts", "keep prompts and answers in that journal too", false);
}

/** Reads what `addServerOptions` defined, after the command was parsed. */
export function serverOptionsOf(command: Command): ServerOptions {
  const values = command.opts();
  return {
    modelPath: values.model ?? null,
    slots: values.slots,
    contextTokens: values.context,
    policy: values.policy,
    queueMax: values.queue,
    drainS: values.drain,
    manyModels: !values.singleModel,
    idleUnloadMin: values.idleUnload ?? null,
    port: values.port,
    host: values.host,
    apiKey: values.apiKey ?? null,
    gpu: values.gpu,
    threads: values.threads,
    agentsFile: values.agents ?? null,
    journal: values.journal ?? null,
    keptJournalBytes: values.journalMib * 1024 ** 2,
    journalTexts: values.journalTexts,
  };
}

/** `argv` without the program's own name. Throws `OptionsEnded`. */
export function parseServerOptions(argv: readonly string[], foreignFlags: ForeignFlags = "refused"): ServerOptions {
  const command = addServerOptions(new Command("topas").description("A local LLM server for many agents at once."));
  return serverOptionsOf(parseQuietly(command, argv, foreignFlags));
}

/** As above, but Chromium's flags pass, and a recording may be named. `appFolder` is an argument of Electron's own. */
export function parseWindowOptions(
  argv: readonly string[],
  appFolder: string | null,
): { readonly options: ServerOptions; readonly recordingFile: string | null } {
  const command = new Command("topas")
    .description("The window of TOPAS Desktop, and its server.")
    .argument("[recording]", "shown in place of the live server at first");
  const parsed = parseQuietly(addServerOptions(command), argv, "ignored");
  const named = parsed.args.filter((text) => !text.startsWith("-")).map((text) => resolve(text));
  const file = named.findLast((path) => path !== appFolder);
  return { options: serverOptionsOf(parsed), recordingFile: file ?? null };
}

/** Parses without printing or exiting. Throws `OptionsEnded` with the text to print. */
export function parseQuietly(command: Command, argv: readonly string[], foreignFlags: ForeignFlags): Command {
  let printed = "";
  const collect = (text: string) => {
    printed += text;
  };
  command.exitOverride().configureOutput({ writeOut: collect, writeErr: collect });
  if (foreignFlags === "ignored") command.allowUnknownOption().allowExcessArguments();
  try {
    return command.parse([...argv], { from: "user" });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    const text = printed.trim() || cause.message;
    throw cause.exitCode === 0
      ? new OptionsEnded(text, 0)
      : new OptionsEnded(`${oneSentence(text)} Run with --help to see all options.`, 2);
  }
}

/** For an entry point: prints and ends the process where nothing is to be started. */
export function readOrExit<Options>(parse: () => Options): Options {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof OptionsEnded)) throw cause;
    (cause.exitCode === 0 ? process.stdout : process.stderr).write(`${cause.message}\n`);
    process.exit(cause.exitCode);
  }
}

function oneSentence(text: string): string {
  const line = text.replace(/^error: /, "").replaceAll("\n", " ");
  return /[.)]$/.test(line) ? line : `${line}.`;
}

function whole(name: string, least: number, most: number) {
  return (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(`--${name} must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

function filled(name: string) {
  return (text: string): string => {
    if (text.trim() === "") throw new InvalidArgumentError(`--${name} must not be empty.`);
    return text;
  };
}

function threadCount(text: string): "auto" | number {
  return text === "auto" ? "auto" : whole("threads", 1, THREADS_MAX)(text);
}
