import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { unzip } from "../../electron/setup/unzip.mjs";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { tinyZip, type ZipEntry } from "./tiny-zip";

function archiveOf(...entries: readonly ZipEntry[]): { readonly archive: string; readonly target: string } {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "archive.zip"), tinyZip(entries));
  return { archive: path.join(folder, "archive.zip"), target: path.join(folder, "target") };
}

const long = "a line that is repeated\n".repeat(20_000);

describe("unzip", () => {
  it("gives back packed, stored and empty files in their folders", async () => {
    const { archive, target } = archiveOf(
      { name: "top/packed.txt", content: long },
      { name: "top/deep/stored.txt", content: "stored", stored: true },
      { name: "empty.txt", content: "", stored: true },
    );
    await unzip(archive, target);
    expect(readFileSync(path.join(target, "top/packed.txt"), "utf8")).toBe(long);
    expect(readFileSync(path.join(target, "top/deep/stored.txt"), "utf8")).toBe("stored");
    expect(statSync(path.join(target, "empty.txt")).size).toBe(0);
  });

  it("leaves out and renames as it is told", async () => {
    const { archive, target } = archiveOf({ name: "old", content: "kept" }, { name: "unwanted", content: "" });
    await unzip(archive, target, (name) => (name === "old" ? "new" : null));
    expect(readdirSync(target)).toEqual(["new"]);
  });

  it("keeps the right to be run", async () => {
    const { archive, target } = archiveOf({ name: "program", content: "#!", mode: 0o755 });
    await unzip(archive, target);
    expect(statSync(path.join(target, "program")).mode & 0o777).toBe(0o755);
  });

  it("refuses a path that leads out of the folder", async () => {
    const { archive, target } = archiveOf({ name: "../outside.txt", content: "x" });
    await expect(unzip(archive, target)).rejects.toThrow("a path outside: ../outside.txt");
  });

  it("refuses a way of packing that it does not know", async () => {
    const { archive, target } = archiveOf({ name: "file", content: "x", method: 12 });
    await expect(unzip(archive, target)).rejects.toThrow("unknown method 12");
  });

  it("says that a file is no archive, or one cut off", async () => {
    const { archive, target } = archiveOf({ name: "file", content: long });
    writeFileSync(archive, readFileSync(archive).subarray(0, -30));
    await expect(unzip(archive, target)).rejects.toThrow("not a zip archive, or cut off");
  });
});
