/**
 * Entry of the engine's process: obeys its owner's messages and ends when the owner is gone. Must never keep the owner
 * waiting for a word: it sends a heartbeat as long as its event loop turns.
 */
import { ModelRefused } from "../../core/contract/engine";
import type { LlamaEngine } from "../engine/llama-engine";
import { loadEngine } from "../engine/load-engine";
import { failureOf } from "./call-failure";
import { answerCall, type Call } from "./calls";
import { type FromEngine, readToEngine, type ToEngine } from "./messages";
import { openParentLink } from "./parent-link";

const HEARTBEAT_MS = 500;
const OWNER_CHECK_MS = 2000;
const PROGRESS_STEP = 0.01;

const link = openParentLink();
const send = (message: FromEngine) => link.send(message);
let engine: LlamaEngine | null = null;

process.on("unhandledRejection", (reason) => fail("unhandled rejection", reason));
process.on("uncaughtException", (error) => fail("uncaught exception", error));
// Ctrl-C in a terminal reaches the whole group; the owner decides when the engine ends.
process.on("SIGINT", () => undefined);
link.onGone(endAtOnce);
link.onMessage((message) => take(readToEngine(message)));
setInterval(() => send({ kind: "heartbeat" }), HEARTBEAT_MS);
send({ kind: "started" });

function take(message: ToEngine): void {
  switch (message.kind) {
    case "load":
      endWith(message.parentProcessId);
      void load(message);
      break;
    case "call":
      void answer(message.callId, message.call);
      break;
    case "open":
      loaded().open(message.request);
      break;
    case "close":
      loaded().close(message.requestId);
      break;
    case "run":
      loaded()
        .run(message.batch, (result) => send({ kind: "stepped", result }))
        .then(
          (result) => send({ kind: "ran", result }),
          (error) => send({ kind: "run_failed", batchId: message.batch.batchId, message: textOf(error) }),
        );
      break;
    case "interrupt":
      loaded().interrupt();
      break;
    case "shutdown":
      void shutdown();
      break;
    default:
      message satisfies never;
  }
}

async function load({ options }: Extract<ToEngine, { kind: "load" }>): Promise<void> {
  let sent = 0;
  const progress = (fraction: number) => {
    if (fraction < 1 && fraction - sent < PROGRESS_STEP) return;
    sent = fraction;
    send({ kind: "progress", fraction });
  };
  try {
    engine = await loadEngine(options, { progress, log });
    send({ kind: "loaded", description: engine.description });
  } catch (error) {
    if (error instanceof ModelRefused) send({ kind: "load_refused", message: error.message, whatToDo: error.whatToDo });
    else send({ kind: "load_failed", message: textOf(error) });
  }
}

async function answer(callId: number, call: Call): Promise<void> {
  try {
    send({ kind: "answered", callId, value: await answerCall(loaded(), call) });
  } catch (error) {
    send({ kind: "call_failed", callId, failure: failureOf(error) });
  }
}

async function shutdown(): Promise<void> {
  await engine?.shutdown();
  process.exit(0);
}

function loaded(): LlamaEngine {
  if (engine) return engine;
  throw new Error("The engine was given work before its model was loaded.");
}

/** A killed owner closes the line; where it does not, its process id tells. */
function endWith(parentProcessId: number): void {
  setInterval(() => {
    try {
      process.kill(parentProcessId, 0);
    } catch {
      endAtOnce();
    }
  }, OWNER_CHECK_MS);
}

/** An ordinary exit would wait for the decode that is under way, seconds or more. */
function endAtOnce(): void {
  process.kill(process.pid, "SIGKILL");
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

function fail(what: string, reason: unknown): void {
  log(`The engine ends because of an ${what}: ${reason instanceof Error ? reason.stack : String(reason)}`);
  process.exit(70);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
