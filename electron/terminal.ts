/** What the programs without a window say: the model's progress while it is found and loaded, on one line where that can be. */
import type { AppStatus, ModelStatus } from "../core/contract/window";

export interface ProgressLine {
  show(status: AppStatus): void;
  /** Ends the line, so that what follows begins on a new one. */
  end(): void;
}

/** `stream` is usually stderr: stdout is for results. */
export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = "";
  let isOpen = false;
  const end = () => {
    if (isOpen) stream.write("\n");
    isOpen = false;
  };
  return {
    show({ model }) {
      const text = describe(model);
      if (text === null || text === shown) return;
      const isSameStep = shown.split(":")[0] === text.split(":")[0];
      shown = text;
      if (stream.isTTY && isSameStep) stream.write("\r\x1b[K");
      else end();
      if (!stream.isTTY && isSameStep) return; // a log file needs each step once
      stream.write(text);
      isOpen = true;
    },
    end,
  };
}

function describe(model: ModelStatus): string | null {
  switch (model.phase) {
    case "looking":
      return model.note;
    case "downloading": {
      const share = model.totalBytes === null ? "" : ` of ${megabytes(model.totalBytes)}`;
      return `Downloading ${model.name} from ${model.from}: ${megabytes(model.receivedBytes)}${share}`;
    }
    case "loading":
      return `Loading ${model.name}: ${Math.round(model.fraction * 100)} %`;
    case "ready": {
      const { engine } = model;
      const device =
        engine.gpu.effective === "cpu" ? "CPU" : `${engine.gpu.effective} (${engine.gpu.deviceNames.join(", ")})`;
      const layers = `${engine.gpu.layersOffloaded} of ${engine.gpu.layersTotal} layers on the GPU`;
      const noise = engine.noiseModel ? " This is a noise model: its text means nothing." : "";
      return (
        `Loaded ${engine.modelId} ${engine.quantization} on ${device}, ${layers}, ${engine.slots} slots of ` +
        `${engine.slotTokens} tokens.${noise}`
      );
    }
    case "none":
    case "failed":
      return null;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
