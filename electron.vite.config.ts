import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

/** Entries of the Node side: the app, the headless server, the demo, and the engine's own process. */
const mainEntries = {
  index: "electron/main.ts",
  headless: "electron/headless.ts",
  demo: "electron/demo/main.ts",
  engine: "native-models/process/main.ts",
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
