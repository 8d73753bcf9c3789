/**
 * Downloads one file and holds it to its sha256. Until all is right the bytes live in a `.part` file that a later call goes
 * on with; the final name never holds a broken file.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { cancelled, fetchWithin } from "./fetch-within";
import { fileProblem, ModelProblem } from "./model-problem";

export interface DownloadOptions {
  readonly url: string;
  readonly to: string;
  /** 64 hexadecimal digits, lower case. */
  readonly sha256: string;
  readonly totalBytes: number | null;
  readonly onProgress: (receivedBytes: number, totalBytes: number | null) => void;
  readonly signal?: AbortSignal;
  readonly answerWithinMs?: number;
  /** A transfer that stands still for so long is given up; it can be resumed. */
  readonly stallMs?: number;
  /** Opens the `.part` file; tests hand in a full disk. */
  readonly openPart?: (file: string, flags: string) => Promise<Pick<FileHandle, "write" | "close">>;
}

export const ANSWER_WITHIN_MS = 4_000;
const STALL_MS = 20_000;
const ATTEMPTS_MAX = 4;
const TRY_AGAIN = "Try again: it goes on from where it stopped.";

/** Throws `ModelProblem`. */
export async function download(options: DownloadOptions): Promise<void> {
  const part = partPathOf(options);
  try {
    await mkdir(path.dirname(options.to), { recursive: true });
    await receiveAll(part, options);
    await verify(part, options);
    await rename(part, options.to);
  } catch (error) {
    const problem = fileProblem(error, options.to, options.totalBytes);
    if (problem.reason === "disk_full" || problem.reason === "mismatch") await rm(part, { force: true });
    throw problem;
  }
}

/** The sum is in the name: a part of another version is never gone on with. */
export function partPathOf({ to, sha256 }: Pick<DownloadOptions, "to" | "sha256">): string {
  return `${to}.${sha256.slice(0, 12)}.part`;
}

/** Goes on after a broken transfer as long as each try brings something. */
async function receiveAll(part: string, options: DownloadOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const bytesBefore = await sizeOf(part);
    try {
      return await receive(part, bytesBefore, options);
    } catch (error) {
      const broken = error instanceof ModelProblem && error.reason === "interrupted";
      if (!broken || attempt === ATTEMPTS_MAX || (await sizeOf(part)) <= bytesBefore) throw error;
    }
  }
}

async function receive(part: string, bytesBefore: number, options: DownloadOptions): Promise<void> {
  const { totalBytes, signal, answerWithinMs = ANSWER_WITHIN_MS, openPart = open } = options;
  if (totalBytes !== null && bytesBefore === totalBytes) return;
  const { response, stop } = await fetchWithin(options.url, {
    answerWithinMs,
    signal,
    headers: { "accept-encoding": "identity", ...(bytesBefore > 0 ? { range: `bytes=${bytesBefore}-` } : {}) },
  });
  try {
    const start = startOf(response, bytesBefore);
    if (start === null || response.body === null) throw await refusal(response, part, options.url);
    const length = response.headers.get("content-length");
    const end = length === null ? totalBytes : start + Number(length);
    const file = await openPart(part, start === 0 ? "w" : "a");
    try {
      await copyBody(response.body, file, { start, end, stop, options });
    } finally {
      await file.close();
    }
  } finally {
    stop();
  }
}

/** A server that does not know ranges answers 200 with everything: then the part begins anew. */
function startOf(response: Response, bytesBefore: number): number | null {
  if (response.status === 200) return 0;
  const from = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1];
  return response.status === 206 && Number(from) === bytesBefore ? bytesBefore : null;
}

async function refusal(response: Response, part: string, url: string): Promise<ModelProblem> {
  // 416: the part is longer than the file. What is there is useless, and the next call must not stumble over it again.
  if (response.status === 416 || response.status === 206) await rm(part, { force: true });
  return new ModelProblem(
    "refused",
    `${new URL(url).host} answered ${response.status} instead of the file.`,
    "Try again later, or choose a GGUF file on this machine.",
  );
}

interface BodyCopy {
  readonly start: number;
  readonly end: number | null;
  readonly stop: () => void;
  readonly options: DownloadOptions;
}

async function copyBody(
  body: ReadableStream<Uint8Array>,
  file: Pick<FileHandle, "write">,
  { start, end, stop, options }: BodyCopy,
): Promise<void> {
  let received = start;
  const reader = body.getReader();
  for (;;) {
    const stall = setTimeout(stop, options.stallMs ?? STALL_MS);
    const { done, value } = await reader
      .read()
      .catch(() => {
        throw options.signal?.aborted === true ? cancelled() : interrupted(received, end);
      })
      .finally(() => clearTimeout(stall));
    if (done) break;
    await writeAll(file, value);
    received += value.length;
    options.onProgress(received, end);
  }
  if (end !== null && received < end) throw interrupted(received, end);
}

/** One `write` may take fewer bytes than it was given, on a disk that is nearly full for one. */
async function writeAll(file: Pick<FileHandle, "write">, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
}

function interrupted(received: number, end: number | null): ModelProblem {
  return new ModelProblem(
    "interrupted",
    `The download broke off after ${received} of ${end ?? "unknown"} bytes.`,
    TRY_AGAIN,
  );
}

async function verify(part: string, { sha256, to }: DownloadOptions): Promise<void> {
  const found = await sha256Of(part);
  if (found === sha256) return;
  throw new ModelProblem(
    "mismatch",
    `The file for ${to} arrived with a wrong checksum (${found} instead of ${sha256}) and was deleted.`,
    "Try again; if it happens twice, the file was changed at its source: choose another one.",
  );
}

/** As 64 lower-case hexadecimal digits. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
