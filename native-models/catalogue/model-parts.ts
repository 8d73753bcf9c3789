/** The files of a model: one, or all parts of one that was split (`name-00001-of-00003.gguf`, all in one folder). */
import path from "node:path";

export function modelParts(file: string): readonly string[] {
  const parts = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/.exec(path.basename(file));
  if (parts === null) return [file];
  const [, name, , count] = parts;
  return Array.from({ length: Number(count) }, (_, index) => {
    const number = String(index + 1).padStart(5, "0");
    return path.join(path.dirname(file), `${name}-${number}-of-${count}.gguf`);
  });
}
