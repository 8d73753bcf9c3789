/** Whether two values say the same as JSON does: order of fields and fields that are undefined do not count. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ofOne, ofOther] = [fieldsOf(one), fieldsOf(other)];
  if (ofOne.length !== ofOther.length) return false;
  const values = new Map(ofOther);
  return ofOne.every(([name, value]) => values.has(name) && sameValue(value, values.get(name)));
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}
