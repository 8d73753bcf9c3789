/** Refuses lists that are far too long before anybody looks into them: a complaint about each of a million items would take seconds. */
import { ApiError } from "./api-error";

/** `place` stands before the names of the fields: `messages.3.` */
export function refuseLongLists(body: unknown, most: Readonly<Record<string, number>>, place = ""): void {
  if (typeof body !== "object" || body === null) return;
  for (const [name, limit] of Object.entries(most)) {
    const param = `${place}${name}`;
    const list = (body as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(list) || list.length <= limit) continue;
    const message = `Wrong value for '${param}': at most ${limit} are possible, not ${list.length}.`;
    throw new ApiError("invalid_value", message, { param });
  }
}
