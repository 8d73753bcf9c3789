/** Reads a text of server-sent events; comments are left out. */

export interface ReadEvent {
  /** The name before the data; absent where it has none. */
  readonly event?: string;
  readonly type?: string;
  // Members of any API's events.
  readonly [member: string]: unknown;
}

export function eventsOf(text: string): ReadEvent[] {
  return text.split("\n\n").flatMap((block) => {
    const lines = block.split("\n");
    const data = lines.find((line) => line.startsWith("data: "))?.slice("data: ".length);
    const event = lines.find((line) => line.startsWith("event: "))?.slice("event: ".length);
    if (data === undefined) return [];
    return [{ ...(event === undefined ? {} : { event }), ...(JSON.parse(data) as object) }];
  });
}
