/** Refuses requests meant for another host or sent by a foreign web page, so that no page can reach this server through a name of its own. */
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error";

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);
const unspecified = new Set(["0.0.0.0", "::", "[::]"]);

export function isLoopbackHost(host: string): boolean {
  return loopback.has(host.toLowerCase()) || host === "::1";
}

export class HostCheck {
  readonly #named: Set<string>;
  readonly #anyAddress: boolean;

  constructor(host: string) {
    const configured = host.toLowerCase();
    this.#named = new Set([...loopback, isIP(configured) === 6 ? `[${configured}]` : configured]);
    this.#anyAddress = unspecified.has(configured);
    if (this.#anyAddress) this.#named.add(hostname().toLowerCase()).add(`${hostname().toLowerCase()}.local`);
  }

  /** A rebinding page always comes with a name, so plain addresses are safe where all of them are listened on. */
  allows(host: string): boolean {
    const name = withoutPort(host.toLowerCase());
    return this.#named.has(name) || (this.#anyAddress && isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  }

  /** Origins of web pages served from this machine; pages are told nothing else. */
  allowsOrigin(origin: string): boolean {
    const web = /^https?:\/\/(.+)$/i.exec(origin);
    return web?.[1] !== undefined && this.allows(web[1]);
  }

  check(request: FastifyRequest): void {
    const { host, origin } = request.headers;
    if (host === undefined || !this.allows(host)) {
      const message = `Host '${host ?? ""}' is not served here. Use http://127.0.0.1 or http://localhost with this server's port.`;
      throw new ApiError("foreign_host", message);
    }
    // Other schemes (vscode-webview:, app:) belong to programs on this machine; no web page can claim them.
    if (origin !== undefined && /^(https?:|null$)/i.test(origin) && !this.allowsOrigin(origin)) {
      throw new ApiError(
        "foreign_origin",
        `Pages of '${origin}' may not use this server, only those served from this machine.`,
      );
    }
  }
}

function withoutPort(host: string): string {
  const bracketed = /^(\[[^\]]*\])(:\d+)?$/.exec(host);
  const name = bracketed?.[1] ?? host.replace(/:\d+$/, "");
  return name.replace(/\.$/, "");
}
