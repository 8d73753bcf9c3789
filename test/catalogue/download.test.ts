import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type DownloadOptions, download, partPathOf } from "../../native-models/catalogue/download";
import { closedAddress, type FileServer, serveFile, sha256 } from "./file-server";
import { temporaryFolder } from "./temporary-folder";

const content = randomBytes(600_000);

function optionsFor(server: Pick<FileServer, "url">, more: Partial<DownloadOptions> = {}): DownloadOptions {
  return {
    url: `${server.url}/model.gguf`,
    to: path.join(temporaryFolder(), "models", "model.gguf"),
    sha256: sha256(content),
    totalBytes: content.length,
    onProgress: () => {},
    ...more,
  };
}

function filesBeside(file: string): readonly string[] {
  return readdirSync(path.dirname(file));
}

describe("a download", () => {
  it("puts the whole file in place and nothing beside it", async () => {
    const options = optionsFor(await serveFile({ content }));
    await download(options);
    expect(readFileSync(options.to).equals(content)).toBe(true);
    expect(filesBeside(options.to)).toEqual(["model.gguf"]);
  });

  it("reports bytes that grow up to the file's size", async () => {
    const received: number[] = [];
    await download(optionsFor(await serveFile({ content }), { onProgress: (bytes) => received.push(bytes) }));
    expect(received).toEqual([...received].sort((a, b) => a - b));
    expect(received.at(-1)).toBe(content.length);
  });

  it("goes on by itself where a connection broke off", async () => {
    const server = await serveFile({ content, cutAfterBytes: [200_000, 100_000] });
    const options = optionsFor(server);
    await download(options);
    expect(readFileSync(options.to).equals(content)).toBe(true);
    // What was on its way when the connection broke may be lost: it goes on from what has arrived.
    const [first, ...later] = server.requests.map(({ range }) => range);
    expect(first).toBeNull();
    const starts = later.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1]));
    expect(starts).toHaveLength(2);
    expect(starts[0]).toBeGreaterThan(0);
    expect(starts[0]).toBeLessThanOrEqual(200_000);
    expect(starts[1]).toBeGreaterThan(starts[0] ?? 0);
    expect(starts[1]).toBeLessThanOrEqual(300_000);
  });

  it("goes on with the part that an earlier try left", async () => {
    const server = await serveFile({ content });
    const options = optionsFor(server, { to: path.join(temporaryFolder(), "model.gguf") });
    writeFileSync(partPathOf(options), content.subarray(0, 400_000));
    await download(options);
    expect(readFileSync(options.to).equals(content)).toBe(true);
    expect(server.requests.map(({ range }) => range)).toEqual(["bytes=400000-"]);
  });

  it("begins anew where the server does not know ranges", async () => {
    const options = optionsFor(await serveFile({ content, knowsRanges: false, cutAfterBytes: [200_000] }));
    await download(options);
    expect(readFileSync(options.to).equals(content)).toBe(true);
  });

  it("deletes a file with a wrong checksum and says so", async () => {
    const options = optionsFor(await serveFile({ content }), { sha256: "0".repeat(64) });
    await expect(download(options)).rejects.toMatchObject({
      reason: "mismatch",
      message: expect.stringContaining("wrong checksum"),
    });
    expect(filesBeside(options.to)).toEqual([]);
  });

  it("keeps what arrived when the server gives up for good, and says how to go on", async () => {
    const options = optionsFor(await serveFile({ content, cutAfterBytes: [100_000, 0] }));
    await expect(download(options)).rejects.toMatchObject({
      reason: "interrupted",
      whatToDo: expect.stringContaining("goes on"),
    });
    expect(existsSync(options.to)).toBe(false);
    expect(statSync(partPathOf(options)).size).toBe(100_000);
  });

  it("gives up on a transfer that stands still", async () => {
    const options = optionsFor(await serveFile({ content, freezeAfterBytes: 10_000 }), { stallMs: 50 });
    await expect(download(options)).rejects.toMatchObject({ reason: "interrupted" });
  });

  it("gives up where nobody answers", async () => {
    const options = optionsFor(await serveFile({ content, silent: true }), { answerWithinMs: 50 });
    await expect(download(options)).rejects.toMatchObject({
      reason: "unreachable",
      message: expect.stringContaining("no answer within"),
    });
  });

  it("says that a closed port cannot be reached", async () => {
    const options = optionsFor(await closedAddress());
    await expect(download(options)).rejects.toMatchObject({
      reason: "unreachable",
      whatToDo: expect.stringContaining("Check the network"),
    });
  });

  it("names the status of a server that refuses", async () => {
    const options = optionsFor(await serveFile({ content, status: 404 }));
    await expect(download(options)).rejects.toMatchObject({
      reason: "refused",
      message: expect.stringContaining("404"),
    });
  });

  it("on a full disk says how much room is needed and leaves no file", async () => {
    const options = optionsFor(await serveFile({ content }), { openPart: openOnFullDisk });
    await expect(download(options)).rejects.toMatchObject({
      reason: "disk_full",
      whatToDo: "Free 1 MB there and try again.",
    });
    expect(filesBeside(options.to)).toEqual([]);
  });

  it("stops when it is cancelled and keeps the part", async () => {
    const cancel = new AbortController();
    const options = optionsFor(await serveFile({ content }), {
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    await expect(download(options)).rejects.toMatchObject({ reason: "cancelled" });
    expect(existsSync(options.to)).toBe(false);
    expect(existsSync(partPathOf(options))).toBe(true);
  });
});

/** Takes the first 100,000 bytes, then has no room. */
const openOnFullDisk: DownloadOptions["openPart"] = async (file, flags) => {
  const handle = await open(file, flags);
  let written = 0;
  const write = async (bytes: Uint8Array, at?: number | null, length?: number | null) => {
    if (written > 100_000) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    written += length ?? 0;
    return handle.write(bytes, at, length);
  };
  return { write: write as typeof handle.write, close: () => handle.close() };
};
