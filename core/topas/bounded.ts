/** Names come from outside and never end (a system prompt with a clock in it is a new agent each time): the oldest are forgotten. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, sizeMax: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= sizeMax) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

/** Agents, workflows and kinds of service remembered at most. */
export const namesMax = 2048;
