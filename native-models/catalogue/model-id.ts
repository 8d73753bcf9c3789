/** The name a model file has in the API: its file name without ending, part number and quantisation. */
import path from "node:path";

const PART = /-\d{5}-of-\d{5}$/;
const QUANTISATION = /[.\-_](?:I?Q\d[0-9A-Z_]*|TQ\d[0-9A-Z_]*|MXFP4[0-9A-Z_]*|NVFP4|B?F16|F32)$/i;

/** `…/SmolLM2-135M-Instruct.Q4_1.gguf` -> `SmolLM2-135M-Instruct`. Never empty. */
export function modelIdOf(modelPath: string): string {
  const name = path.basename(modelPath).replace(/\.gguf$/i, "");
  return name.replace(PART, "").replace(QUANTISATION, "") || name;
}
