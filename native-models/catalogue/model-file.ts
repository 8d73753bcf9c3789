/** Which files in a folder are models: not the later parts of a split one, nor the files that only add pictures to one. */
export function isModelFile(name: string): boolean {
  if (!name.toLowerCase().endsWith(".gguf") || /mmproj/i.test(name)) return false;
  const part = /-(\d{5})-of-\d{5}\.gguf$/i.exec(name)?.[1];
  return part === undefined || Number(part) === 1;
}
