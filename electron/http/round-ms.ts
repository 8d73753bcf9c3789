/** Times in answers: a tenth of a millisecond is more than anybody needs. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}
