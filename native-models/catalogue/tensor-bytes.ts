/** How many bytes a tensor takes in a GGUF file. */

/** Elements per block and bytes per block of ggml's types, by their number in the file format. */
const BLOCKS: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  20: [32, 18],
  23: [256, 136],
  30: [1, 2],
  39: [32, 17],
};

/** Lower bound: a type that is not in the table counts as empty, so that new types are never refused. */
export function tensorBytes(dimensions: readonly (number | bigint)[], type: number): number {
  const [elementsPerBlock, bytesPerBlock] = BLOCKS[type] ?? [1, 0];
  const elements = dimensions.reduce<number>((product, dimension) => product * Number(dimension), 1);
  return Math.ceil(elements / elementsPerBlock) * bytesPerBlock;
}
