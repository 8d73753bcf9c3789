/** Which model serves, its quantisation and device; a noise model is always called so. */
import type { AppStatus } from "../../core/contract/window";
import { Icon } from "../drawing/icon";
import { SimulatedMark } from "../drawing/simulated-mark";
import { useLive } from "../store/live-context";
import { engineLine, NOISE_MODEL } from "../words/engine";
import { megabytes, percent } from "../words/figures";

interface ModelWords {
  readonly name: string;
  readonly line: string;
  readonly noise: boolean;
}

export function ModelName() {
  const status = useLive((state) => state.status);
  const { name, line, noise } = modelWords(status);
  return (
    <div className="grid min-w-0 whitespace-nowrap" title={`${name}, ${line}`}>
      <b className="flex min-w-0 items-center gap-2 text-12 font-medium">
        <span className="truncate">{name}</span>
        <SimulatedMark />
      </b>
      {noise ? (
        <small className="flex items-center gap-1 text-11 text-ink-1">
          <Icon name="warning" small />
          {NOISE_MODEL}
        </small>
      ) : (
        <small className="truncate text-11 text-ink-2">{line}</small>
      )}
    </div>
  );
}

export function modelWords({ model, outage, recording }: AppStatus): ModelWords {
  if (recording !== null) return { name: recording.name, line: "recording, nothing is served", noise: false };
  switch (model.phase) {
    case "none":
      return { name: "No model loaded", line: "choose one to serve", noise: false };
    case "looking":
      return { name: "Looking for a model", line: model.note, noise: false };
    case "downloading": {
      const of = model.totalBytes === null ? "" : ` of ${megabytes(model.totalBytes)}`;
      return { name: model.name, line: `downloading, ${megabytes(model.receivedBytes)}${of}`, noise: false };
    }
    case "loading":
      return { name: model.name, line: `loading, ${percent(model.fraction)}`, noise: false };
    case "failed":
      return { name: "No model loaded", line: "the last try failed", noise: false };
    case "ready": {
      const { engine } = model;
      if (outage === null) return { name: engine.modelId, line: engineLine(engine), noise: engine.noiseModel };
      const line = outage.phase === "loading" ? `loading again, ${percent(outage.fraction)}` : "engine stopped";
      return { name: engine.modelId, line, noise: engine.noiseModel };
    }
    default:
      return model satisfies never;
  }
}
