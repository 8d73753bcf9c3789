import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readWindowState, writeWindowState } from "../../electron/window/window-state";

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const state = { x: 100, y: 50, width: 1440, height: 900, maximized: false };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "topas-state-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the remembered window", () => {
  test("is read as it was written, and leaves no other file behind", async () => {
    const file = join(folder, "new", "window.json");
    writeWindowState(file, state);
    writeWindowState(file, { ...state, maximized: true });
    expect(readWindowState(file, [screen])).toEqual({ ...state, maximized: true });
    expect(await readdir(join(folder, "new"))).toEqual(["window.json"]);
  });

  test.each([
    ["lies on a screen that is gone", { ...state, x: 3000 }],
    ["has its upper edge out of reach", { ...state, y: -400 }],
  ])("is forgotten if it %s", (_why, away) => {
    const file = join(folder, "away.json");
    writeWindowState(file, away);
    expect(readWindowState(file, [screen])).toBeNull();
    expect(readWindowState(file, [screen, { x: 1920, y: -900, width: 1920, height: 1080 }])).toEqual(
      away.x === 3000 ? away : null,
    );
  });

  test.each(["", "{", "[]", '{"x":1}', JSON.stringify({ ...state, width: 10 })])(
    "is forgotten if its file holds %j",
    async (text) => {
      const file = join(folder, "broken.json");
      await writeFile(file, text);
      expect(readWindowState(file, [screen])).toBeNull();
    },
  );

  test("is null where there is no file, and a place that cannot be written is no reason to fail", async () => {
    expect(readWindowState(join(folder, "none.json"), [screen])).toBeNull();
    await writeFile(join(folder, "file"), "");
    expect(() => writeWindowState(join(folder, "file", "window.json"), state)).not.toThrow();
  });
});
