/** Serves the built page, and only files of its folder, with the rules the page has to live under. */
import { readFile } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";
import type { Protocol } from "electron";
import { CRASH_PAGE } from "./crash-page";
import { CRASH_PAGE_URL, PAGE_HOST, PAGE_SCHEME } from "./page-address";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** No network, no frames, no inline scripts. Inline styles are let in: React and canvas code set them by the attribute. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function servePage(protocol: Protocol, folder: string): void {
  protocol.handle(PAGE_SCHEME, (request) => answerPageRequest(request, resolve(folder)));
}

export async function answerPageRequest(request: Request, folder: string): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return refusal(405, "Only GET is served here.");
  const url = new URL(request.url);
  if (url.host !== PAGE_HOST) return refusal(403, "There is only one host here.");
  if (request.url === CRASH_PAGE_URL) return answer(CRASH_PAGE, ".html");
  const file = fileIn(folder, url.pathname);
  if (file === null) return refusal(403, "That file is not part of the page.");
  try {
    return answer(await readFile(file), extname(file));
  } catch {
    return refusal(404, "There is no such file.");
  }
}

/** Null if the path leads out of the folder. */
function fileIn(folder: string, pathname: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  // Backslashes part folders on Windows, and a NUL ends a path for the system.
  if (path.includes("\\") || path.includes("\0")) return null;
  const file = resolve(folder, `.${path}`);
  return file.startsWith(folder + sep) ? file : null;
}

function answer(body: string | Buffer<ArrayBuffer>, extension: string): Response {
  return new Response(body, {
    headers: {
      "content-type": CONTENT_TYPES[extension] ?? "application/octet-stream",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
    },
  });
}

function refusal(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
