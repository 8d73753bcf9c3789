/** Seeded random numbers (mulberry32, public domain by Tommy Ettinger); the core has no other source of chance. */
export interface Random {
  /** 0 <= x < 1 */
  next(): number;
  /** Whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** Exponential with the given mean: gaps of Poisson arrivals. */
  exponential(mean: number): number;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    exponential: (mean) => -mean * Math.log(1 - next()),
  };
}
