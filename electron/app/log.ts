/** The server's log on stderr: one JSON line each. Prompts and answers are never in it. */
import pino, { type Logger } from "pino";

export function createLog(): Logger {
  return pino({ level: process.env.TOPAS_LOG_LEVEL ?? "warn", base: null }, pino.destination({ dest: 2, sync: true }));
}
