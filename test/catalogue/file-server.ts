/** Serves one file over HTTP as the hub does, and can be told to misbehave; closed when the test ends. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface FileServerOptions {
  readonly content: Buffer;
  /** Connections cut after so many bytes of a body, one entry for each answer in turn; then whole ones. */
  readonly cutAfterBytes?: readonly number[];
  /** Sends so many bytes of each body, then nothing more, with the connection left open. */
  readonly freezeAfterBytes?: number;
  readonly knowsRanges?: boolean;
  /** Takes requests and never answers them. */
  readonly silent?: boolean;
  /** What the hub says the sum is; null = it says nothing. */
  readonly toldSha256?: string | null;
  readonly status?: number;
}

export interface FileServer {
  readonly url: string;
  readonly requests: readonly { readonly method: string; readonly path: string; readonly range: string | null }[];
}

export async function serveFile(options: FileServerOptions): Promise<FileServer> {
  const requests: FileServer["requests"][number][] = [];
  const cuts = [...(options.cutAfterBytes ?? [])];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", path: request.url ?? "", range: request.headers.range ?? null });
    if (options.silent === true) return;
    if (options.status !== undefined) response.writeHead(options.status).end();
    else if (request.method === "HEAD") answerHead(response, options);
    else answerBody(request, response, options, cuts.shift());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** An address where nothing listens any more. */
export async function closedAddress(): Promise<Pick<FileServer, "url">> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}` };
}

/** The hub redirects to its storage and tells sum, size and commit with that. */
function answerHead(response: ServerResponse, { content, toldSha256 = sha256(content) }: FileServerOptions): void {
  const told = toldSha256 === null ? {} : { "x-linked-etag": `"${toldSha256}"` };
  response.writeHead(302, { ...told, "x-linked-size": content.length, "x-repo-commit": "abc123" }).end();
}

function answerBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: FileServerOptions,
  cut: number | undefined,
): void {
  const { content, knowsRanges = true } = options;
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
  const start = knowsRanges && asked !== undefined ? Number(asked) : 0;
  const body = content.subarray(start);
  const isPart = knowsRanges && asked !== undefined;
  if (start > content.length) {
    response.writeHead(416).end();
    return;
  }
  response.writeHead(isPart ? 206 : 200, {
    "content-length": body.length,
    ...(isPart ? { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
  });
  if (options.freezeAfterBytes !== undefined) response.write(body.subarray(0, options.freezeAfterBytes));
  else if (cut === undefined) response.end(body);
  else response.write(body.subarray(0, cut), () => response.socket?.end());
}

export function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
