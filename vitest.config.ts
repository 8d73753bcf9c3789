import { configDefaults, defineConfig } from "vitest/config";

/** Tests that start the engine, a window or the whole server: one file at a time, or they take each other's cores. */
const heavy = [
  "test/engine/**/*.test.ts",
  "test/cases/**/*.test.ts",
  "test/clients/**/*.test.ts",
  "test/http/**/*.test.ts",
  "test/demo/**/*.test.ts",
  "test/window/**/*.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "json"],
    outputFile: { json: "test/artifacts/vitest.json" },
    projects: [
      {
        test: {
          name: "light",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...heavy],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "heavy",
          include: heavy,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
