/** Builds the window's page as the app does and serves it with the app's content security policy, for looking at it in a browser. */
import { createReadStream, existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'";

export async function buildPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: "renderer",
    base: "./",
    logLevel: "warn",
    plugins: [react(), tailwindcss()],
    build: { outDir: resolve(folder), emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
  });
}

export async function servePage(folder: string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    if (request.url === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    const path = new URL(request.url ?? "/", "http://page").pathname;
    const file = join(resolve(folder), path === "/" ? "index.html" : path);
    if (!file.startsWith(resolve(folder)) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-security-policy", POLICY);
    response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The page's server has no port.");
  return { url: `http://127.0.0.1:${address.port}/`, server };
}
