/** How byte-level vocabularies write bytes: each as one visible letter. */

/** GPT-2's table: printable Latin-1 stands for itself, the rest moves up past 255 in order. */
export function spellByte(byte: number): string {
  if (isItself(byte)) return String.fromCharCode(byte);
  let movedBefore = 0;
  for (let other = 0; other < byte; other++) if (!isItself(other)) movedBefore++;
  return String.fromCharCode(256 + movedBefore);
}

function isItself(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}
