/** The model that serves: what it is, where it runs and what was measured of it; another one can be loaded. */
import type { EngineDescription } from "../../core/contract/engine";
import { ModelSection } from "../screens/model-section";
import { useLive } from "../store/live-context";
import { engineLine, NOISE_MODEL, slotsLine } from "../words/engine";
import { count, megabytes } from "../words/figures";
import { type Fact, Facts, PageFrame, PageSection } from "./page-parts";

export function ModelsPage() {
  const engine = useLive(({ status }) => (status.model.phase === "ready" ? status.model.engine : null));
  return (
    <PageFrame title="Models">
      <div className="max-w-160 [&>section]:mt-0">
        <ModelSection />
      </div>
      {engine !== null && (
        <PageSection title="The loaded model">
          <Facts facts={engineFacts(engine)} />
        </PageSection>
      )}
    </PageFrame>
  );
}

function engineFacts(engine: EngineDescription): readonly Fact[] {
  const { costs } = engine;
  const kvMiB = (engine.kvBytesPerToken * engine.slots * engine.slotTokens) / 1024 ** 2;
  const facts: Fact[] = [
    ["File", engine.modelPath],
    ["Size", `${count(engine.parameterCount / 1e6)} million parameters, ${megabytes(engine.fileBytes)}`],
    ["Runs on", engineLine(engine)],
    ["KV cache", `${slotsLine(engine)}, ${count(kvMiB)} MiB in all`],
    ["Trained for", `${count(engine.trainedContextTokens)} tokens of context`],
    ["Prefill", `${costs.prefillMsPerToken.toFixed(1)} ms a token, ${costs.origin}`],
    ["Decode", costs.stepMs.map((ms, at) => `${ms.toFixed(0)} ms with ${at + 1}`).join(", ")],
  ];
  return engine.noiseModel ? [["Noise model", NOISE_MODEL], ...facts] : facts;
}
