/** Tells whether a client speaks Anthropic's API, so that errors and lists reach it in the shape it knows. */
import type { IncomingHttpHeaders } from "node:http";

export function speaksAnthropic({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}): boolean {
  return headers["anthropic-version"] !== undefined || /^(\/v1)?\/messages([/?]|$)/.test(url);
}
