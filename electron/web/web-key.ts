/**
 * Who may see the page in a browser: everybody on this machine when the server has no key, else whoever has shown the key once. The
 * key itself is handed over in the first address only; from then on a cookie that means nothing elsewhere stands for it.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";

const cookieName = "topas-page";
const cookiesMax = 100;

export class WebKey {
  readonly #key: string | null;
  readonly #cookies = new Set<string>();

  constructor(key: string | null) {
    this.#key = key;
  }

  lets(request: FastifyRequest): boolean {
    if (this.#key === null) return true;
    const cookie = cookieOf(request.headers.cookie);
    return cookie !== null && this.#cookies.has(cookie);
  }

  /** The `Set-Cookie` for who knows the key; null for who does not. */
  cookieFor(given: string): string | null {
    if (this.#key === null || !timingSafeEqual(hashOf(given), hashOf(this.#key))) return null;
    const value = randomBytes(32).toString("base64url");
    this.#cookies.add(value);
    for (const oldest of this.#cookies) {
      if (this.#cookies.size <= cookiesMax) break;
      this.#cookies.delete(oldest);
    }
    return `${cookieName}=${value}; HttpOnly; SameSite=Strict; Path=/ui`;
  }
}

function cookieOf(header: string | undefined): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? null;
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
