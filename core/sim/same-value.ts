/** Whether two values say the same as JSON does: order of fields and fields that are undefined do not count. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((value, at) => sameValue(value, other[at]));
  }
  return !Array.isArray(other) && hasFieldsOf(one, other) && fieldCount(one) === fieldCount(other);
}

/** Every field of `one` is the same in `other`. */
function hasFieldsOf(one: object, other: object): boolean {
  for (const name of Object.keys(one)) {
    const value: unknown = Reflect.get(one, name);
    if (value !== undefined && !(Object.hasOwn(other, name) && sameValue(value, Reflect.get(other, name))))
      return false;
  }
  return true;
}

function fieldCount(value: object): number {
  return Object.values(value).filter((field) => field !== undefined).length;
}
