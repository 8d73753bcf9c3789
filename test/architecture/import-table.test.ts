import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { brokenRules } from "./import-table";
import { isSource, listProjectFiles, PROJECT_FOLDER } from "./project-files";
import { readSource } from "./read-source";

const files = listProjectFiles();
const exists = (file: string) => files.includes(file);

function judge(file: string, text: string): readonly string[] {
  return brokenRules(readSource(file, text), exists);
}

describe("the import table", () => {
  it("holds for every source file of the project", () => {
    const sources = files.filter(isSource);
    expect(sources.length).toBeGreaterThan(20);
    const broken = sources.flatMap((file) => judge(file, readFileSync(path.join(PROJECT_FOLDER, file), "utf8")));
    expect(broken).toEqual([]);
  });

  it.each([
    ["a file in no layer", "helpers/strings.ts", "export {};"],
    ["Node in the core", "core/topas/bad.ts", 'import { readFileSync } from "node:fs";'],
    ["Node's modules under their old names", "core/topas/bad.ts", 'import fs from "fs";'],
    ["a package in the core", "core/topas/bad.ts", 'import { z } from "zod";'],
    ["the core looking up at the simulator's layer", "core/topas/bad.ts", 'import "../sim/simulate";'],
    ["a contract that imports more than types", "core/contract/bad.ts", 'import { receive } from "../topas/receive";'],
    ["types across a border", "renderer/bad.ts", 'import type { Live } from "../electron/live/live";'],
    ["types inside an expression", "renderer/bad.ts", 'export type Bad = import("../electron/live/live").Live;'],
    ["an import at run time", "renderer/bad.ts", 'void import("electron");'],
    ["a require", "renderer/bad.ts", 'const electron = require("electron");'],
    ["an import whose name is computed", "core/topas/bad.ts", 'void import("./" + name);'],
    ["an export from elsewhere", "native-models/bad.ts", 'export * from "../electron/live/live";'],
    ["llama.cpp outside its folder", "electron/live/bad.ts", 'import { getLlama } from "node-llama-cpp";'],
    [
      "native-models in a part of the shell",
      "electron/http/bad.ts",
      'import "../../native-models/catalogue/find-model";',
    ],
    ["one part of the shell knowing another", "electron/trace/bad.ts", 'import "../http/server";'],
    ["a file that is not there", "core/topas/bad.ts", 'import { gone } from "./gone";'],
    ["a clock in the core", "core/topas/bad.ts", "export const now = Date.now();"],
    ["a clock by its constructor", "core/topas/bad.ts", "export const now = new Date();"],
    ["chance in the core", "core/policies/bad.ts", "export const luck = Math.random();"],
    ["chance in the core under another name", "core/policies/bad.ts", "const { random } = Math;"],
    ["a promise in the core", "core/topas/bad.ts", "export async function wait() {}"],
    ["a timer in the core", "core/view/bad.ts", "setTimeout(() => {}, 1);"],
    ["the preload's object outside the bridge", "renderer/panels/bad.ts", "window.topas.runDemo();"],
    ["the preload's object by another spelling", "renderer/panels/bad.ts", 'globalThis["topas"].runDemo();'],
  ])("refuses %s", (_, file, text) => {
    expect(judge(file, text)).toHaveLength(1);
  });

  it.each([
    [
      "types from the whole core in a contract",
      "core/contract/good.ts",
      'import type { TopasEvent } from "../topas/events";',
    ],
    ["promises in the engine port's types", "core/contract/good.ts", "export interface Port { run(): Promise<void> }"],
    [
      "forbidden words in comments and strings",
      "core/topas/good.ts",
      '// Date.now()\nexport const text = "await Math.random()";',
    ],
    [
      "members that are named like globals",
      "core/topas/good.ts",
      "export const of = (item: { fetch: number }) => item.fetch;",
    ],
    ["the bridge touching the preload's object", "renderer/bridge.ts", "window.topas.runDemo();"],
    ["React in the renderer", "renderer/good.tsx", 'import { useState } from "react";'],
  ])("allows %s", (_, file, text) => {
    expect(judge(file, text)).toEqual([]);
  });
});
