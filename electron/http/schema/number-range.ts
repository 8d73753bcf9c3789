/** GBNF of the whole numbers, and of the decimal ones, between two bounds. */

/** The largest number that JavaScript counts to exactly; an open end stops there. */
const openEnd = Number.MAX_SAFE_INTEGER;

export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly aboveMin?: number | undefined;
  readonly belowMax?: number | undefined;
}

/** Null: there is none. */
export function integersWithin(bounds: Bounds): string | null {
  const { from, to } = wholeEnds(bounds);
  if (from > to) return null;
  const parts: string[] = [];
  if (from < 0) parts.push(`"-" (${naturals(Math.max(1, -to), -from)})`);
  if (to >= 0) parts.push(naturals(Math.max(0, from), to));
  return parts.join(" | ");
}

/** Whole numbers in the bounds, and those with a fraction between two neighbours that both are. Null: there are none. */
export function numbersWithin(bounds: Bounds): string | null {
  const whole = integersWithin(bounds);
  const { min = -openEnd, max = openEnd, aboveMin = -openEnd, belowMax = openEnd } = bounds;
  const [from, to] = [clamped(Math.ceil(Math.max(min, aboveMin))), clamped(Math.floor(Math.min(max, belowMax)))];
  const fraction = '"." [0-9]{0,15} [1-9]';
  const parts = whole === null ? [] : [whole];
  if (to - 1 >= Math.max(0, from)) parts.push(`(${naturals(Math.max(0, from), to - 1)}) ${fraction}`);
  if (-from - 1 >= Math.max(0, -to)) parts.push(`"-" (${naturals(Math.max(0, -to), -from - 1)}) ${fraction}`);
  return parts.length === 0 ? null : parts.join(" | ");
}

function wholeEnds({ min, max, aboveMin, belowMax }: Bounds): { readonly from: number; readonly to: number } {
  const lows = [
    min === undefined ? -openEnd : Math.ceil(min),
    aboveMin === undefined ? -openEnd : Math.floor(aboveMin) + 1,
  ];
  const highs = [
    max === undefined ? openEnd : Math.floor(max),
    belowMax === undefined ? openEnd : Math.ceil(belowMax) - 1,
  ];
  // No zero below zero: its digits would be written with a sign.
  return { from: clamped(Math.max(...lows)) + 0, to: clamped(Math.min(...highs)) + 0 };
}

function clamped(value: number): number {
  return Math.min(openEnd, Math.max(-openEnd, value));
}

/** Of 0 and above, without leading zeros. */
function naturals(from: number, to: number): string {
  const parts: string[] = [];
  for (let start = from; start <= to; ) {
    const length = String(start).length;
    const end = Math.min(to, 10 ** length - 1);
    parts.push(sameLength(String(start), String(end)));
    start = end + 1;
  }
  return parts.join(" | ");
}

/** `from` and `to` have as many digits. */
function sameLength(from: string, to: string): string {
  const [low = "", high = ""] = [from[0], to[0]];
  const [lowRest, highRest] = [from.slice(1), to.slice(1)];
  const rest = lowRest.length;
  if (rest === 0) return digits(low, high);
  if (/^0*$/.test(lowRest) && /^9*$/.test(highRest)) return `${digits(low, high)} [0-9]{${rest}}`;
  if (low === high) return `"${low}" (${sameLength(lowRest, highRest)})`;
  const parts = [`"${low}" (${sameLength(lowRest, "9".repeat(rest))})`];
  if (Number(high) - Number(low) > 1) parts.push(`[${Number(low) + 1}-${Number(high) - 1}] [0-9]{${rest}}`);
  parts.push(`"${high}" (${sameLength("0".repeat(rest), highRest)})`);
  return parts.join(" | ");
}

function digits(low: string, high: string): string {
  return low === high ? `"${low}"` : `[${low}-${high}]`;
}
