/**
 * The noise model's vocabulary: every byte, some pieces of frequent English words, and the three tokens of a chat
 * template. Any text goes in and comes out unchanged; the word pieces only keep token counts near those of real models.
 */

import { spellByte } from "./byte-spelling";

export interface NoiseVocabulary {
  /** Byte-level spelling as in GPT-2: a space is `Ġ`, a line feed `Ċ`. */
  readonly tokens: readonly string[];
  /** Pairs to join, most important first, each as `left right`. */
  readonly merges: readonly string[];
  /** How readily each token is drawn, 0..1: words before loose pieces, never anything but printable ASCII. */
  readonly weights: readonly number[];
}

export const END_OF_TEXT = 0;
export const MESSAGE_START = 1;
/** Ends a message, and so an answer. */
export const MESSAGE_END = 2;
export const SPECIAL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"] as const;

const MERGES_MAX = 1_000;

/** From frequent to rare; an entry's place sets its weight when pieces are chosen. */
const WORDS = `the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one
you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only
other time new some could these two may first then do any like my now over such our man me even most made after also well must way
back through years where much your down should because long each just those people how too little state good very make world still
see own work men day get here between both life being under three never know same last another while us off might great go come since
against right came take used himself few house use place during without again home around small however found school part once
general high upon every does got left number course until always away something fact though water less public put think almost hand
enough far took head yet government system better set told nothing night end why called find going look asked later point knew next
program city business give group toward young let room word side given present several order national second possible rather
among important want thing others different need change question answer write writes written reads read plan planner plans worker
workers agent agents task tasks step steps stage report reports research review reviewer code coder architect design designs build
builds test tests function functions file files line lines value values number numbers type types name names list lists string model
models token tokens request requests response prompt message messages user assistant system tool tools data error errors result results
input output text short clear simple plain exact careful careful example examples follow following section sections summary sources
source claim claims evidence note notes explain explains describe describes decide decides check checks return returns start begin
finish complete change changes keep keeps without before after above below between against sentence sentences paragraph words project
problem problems solution reason reasons memory cache server local window network machine language time times second seconds minute
case cases rule rules role roles goal goals idea ideas detail details quality cost costs fast slow large small open close show shows
use uses using used make makes making made give gives given take takes taken say says tell tells help helps helpful only never always
ing ed er est ly tion tions ation ment ments ness able ible ful less ive ous al ally ic ity ence ance ent ant ize ized pre pro con com
re un dis in im per sub inter trans over under ter ver der ther ould ight ound ough`;

/** Learned once: it takes some tenths of a second and is always the same. */
let learned: NoiseVocabulary | undefined;

export function noiseVocabulary(): NoiseVocabulary {
  learned ??= learnVocabulary();
  return learned;
}

function learnVocabulary(): NoiseVocabulary {
  const merges = learnMerges(WORDS.split(/\s+/));
  const bytes = Array.from({ length: 256 }, (_, byte) => spellByte(byte));
  const pieces = new Set([...bytes, ...merges.map(([left, right]) => left + right)]);
  const tokens = [...SPECIAL_TOKENS, ...pieces];
  const weights = tokens.map((token, index) => (index < SPECIAL_TOKENS.length ? 0 : weightOf(token)));
  return { tokens, merges: merges.map((pair) => pair.join(" ")), weights };
}

function weightOf(token: string): number {
  if (/^Ġ[a-z]{2,}$/.test(token)) return 1;
  return /^[Ġ!-~]+$/.test(token) ? 0.6 : 0;
}

type Pair = readonly [left: string, right: string];

/** Byte-pair encoding's training: again and again join the pair of neighbours with the greatest weight. */
function learnMerges(words: readonly string[]): Pair[] {
  const spellings = [...new Set(words)].flatMap((word, rank) => [
    { parts: ["Ġ", ...word], weight: 1 / (rank + 20) },
    { parts: [...word], weight: 0.1 / (rank + 20) },
  ]);
  const merges: Pair[] = [];
  while (merges.length < MERGES_MAX) {
    const best = heaviestPair(spellings);
    if (best === undefined) break;
    merges.push(best);
    for (const spelling of spellings) spelling.parts = join(spelling.parts, best);
  }
  return merges;
}

/** Ties go to the pair seen first, so that the file is the same everywhere. */
function heaviestPair(
  spellings: readonly { readonly parts: readonly string[]; readonly weight: number }[],
): Pair | undefined {
  const weights = new Map<string, number>();
  for (const { parts, weight } of spellings) {
    for (let at = 1; at < parts.length; at++) {
      const key = `${parts[at - 1]} ${parts[at]}`;
      weights.set(key, (weights.get(key) ?? 0) + weight);
    }
  }
  let best = "";
  let most = 0;
  for (const [key, weight] of weights) if (weight > most) [best, most] = [key, weight];
  const [left, right] = best.split(" ");
  return left === undefined || right === undefined ? undefined : [left, right];
}

function join(parts: readonly string[], [left, right]: Pair): string[] {
  const joined: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const isPair = parts[at] === left && parts[at + 1] === right;
    joined.push(isPair ? left + right : (parts[at] as string));
    if (isPair) at++;
  }
  return joined;
}
