import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

/** Entries of the Node side: the app, the headless server, the demo, the engine's own process, the simulator, replay and fit. */
const mainEntries = {
  index: "electron/main.ts",
  headless: "electron/headless.ts",
  demo: "electron/demo/main.ts",
  engine: "native-models/process/main.ts",
  sim: "electron/sim/main.ts",
  "sim-paper": "electron/sim/paper/main.ts",
  "sim-worker": "electron/sim/worker.ts",
  replay: "electron/sim/replay/main.ts",
  fit: "electron/sim/fit/main.ts",
  trace: "electron/sim/trace/main.ts",
};

export default defineConfig({
  main: {
    build: {
      sourcemap: true,
      rollupOptions: {
        input: mainEntries,
        output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
      },
    },
  },
  preload: {
    build: {
      rollupOptions: {
        input: { index: "electron/preload.ts" },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: "renderer",
    plugins: [react(), tailwindcss()],
    build: { rollupOptions: { input: { index: "renderer/index.html" } } },
  },
});
