/**
 * How many worker threads Node has for native jobs in the engine's process. With one, jobs run in the order in which they
 * were queued, so a draw can be queued right behind its decode; with more it would run beside it and must never be.
 */

/** Node reads it once, before any code of its program runs. llama.cpp's own threads are not counted. */
export const ONE_WORKER_THREAD: Readonly<Record<string, string>> = { UV_THREADPOOL_SIZE: "1" };

/** False where nobody asked for it at the start of this process: then Node has four. */
export function hasOneWorkerThread(): boolean {
  return process.env.UV_THREADPOOL_SIZE === ONE_WORKER_THREAD.UV_THREADPOOL_SIZE;
}
