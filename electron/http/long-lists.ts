/** Refuses lists that are far too long before anybody looks into them: a complaint about each of a million items would take seconds. */
import { ApiError } from "./api-error";

export function refuseLongLists(body: unknown, most: Readonly<Record<string, number>>): void {
  if (typeof body !== "object" || body === null) return;
  for (const [param, limit] of Object.entries(most)) {
    const list = (body as Readonly<Record<string, unknown>>)[param];
    if (!Array.isArray(list) || list.length <= limit) continue;
    const message = `Wrong value for '${param}': at most ${limit} are possible, not ${list.length}.`;
    throw new ApiError("invalid_value", message, { param });
  }
}
