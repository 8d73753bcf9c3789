/** What the loaded model is and where it runs, in a few words, from what the engine reported. */
import type { EngineDescription } from "../../core/contract/engine";
import { count, counted } from "./figures";

const DEVICES = { cpu: "CPU", metal: "Metal", cuda: "CUDA", vulkan: "Vulkan" } as const;

export const NOISE_MODEL = "noise model, text is meaningless";

export function engineLine(engine: EngineDescription): string {
  const { gpu, threads } = engine;
  const device = DEVICES[gpu.effective];
  const where =
    gpu.effective === "cpu"
      ? `${device}, ${counted(threads.prefill, "thread")}`
      : `${device}, ${gpu.layersOffloaded} of ${gpu.layersTotal} layers`;
  return `${engine.quantization}, ${where}`;
}

export function slotsLine(engine: EngineDescription): string {
  return `${counted(engine.slots, "slot")} of ${count(engine.slotTokens)} tokens`;
}
