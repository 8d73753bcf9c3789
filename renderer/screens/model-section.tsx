/** On the start screen: which model will answer, how far it is, what to do when it failed, and where to point agents. */
import type { ReactNode } from "react";
import type { ModelStatus } from "../../core/contract/window";
import { Icon } from "../drawing/icon";
import { ServerUrl } from "../drawing/server-url";
import { useCommand, useLive } from "../store/live-context";
import { engineLine, NOISE_MODEL, slotsLine } from "../words/engine";
import { megabytes, percent } from "../words/figures";

export function ModelSection() {
  const model = useLive(({ status }) => status.model);
  return (
    <section className="mt-10" aria-label="Model">
      <h2 className="pb-2 text-13">Model</h2>
      <div className="border-y border-hairline py-3 text-12">
        <ModelState model={model} />
      </div>
      <div className="-ml-2 flex gap-1 pt-3">
        {(model.phase === "none" || model.phase === "failed") && <LoadStarterButton again={model.phase === "failed"} />}
        <ChooseFileButton />
      </div>
      {model.phase === "ready" && <PointAgents />}
    </section>
  );
}

function ModelState({ model }: { readonly model: ModelStatus }) {
  switch (model.phase) {
    case "none":
      return (
        <ModelLine name="SmolLM2-135M-Instruct" right="starter model, 98 MB">
          Used unless you choose another. Fetched first if it is not on this machine.
        </ModelLine>
      );
    case "looking":
      return (
        <ModelLine name="Looking for a model" right="">
          {model.note}
        </ModelLine>
      );
    case "downloading": {
      const { receivedBytes, totalBytes } = model;
      const of = totalBytes === null ? "" : ` of ${megabytes(totalBytes)}`;
      return (
        <ModelLine
          name={model.name}
          right={`${megabytes(receivedBytes)}${of}`}
          share={totalBytes ? receivedBytes / totalBytes : null}
        >
          Downloading from {model.from}.
        </ModelLine>
      );
    }
    case "loading":
      return (
        <ModelLine name={model.name} right={percent(model.fraction)} share={model.fraction}>
          Loading into memory and measuring this machine.
        </ModelLine>
      );
    case "ready": {
      const { engine } = model;
      return (
        <ModelLine name={engine.modelId} right={megabytes(engine.fileBytes)}>
          {engineLine(engine)}. {slotsLine(engine)}. Ready.
          {engine.noiseModel && (
            <span className="mt-1 flex items-center gap-1.5 text-ink-1">
              <Icon name="warning" small />
              {NOISE_MODEL}: random weights made by this app.
            </span>
          )}
        </ModelLine>
      );
    }
    case "failed":
      return (
        <div role="alert" className="flex items-start gap-2 select-text">
          <span className="text-bad">
            <Icon name="warning" />
          </span>
          <p className="min-w-0 flex-1">
            <b className="block">{model.message}</b>
            <span className="text-ink-2">{model.whatToDo}</span>
          </p>
          <span className="code">MODEL_FAILED</span>
        </div>
      );
    default:
      return model satisfies never;
  }
}

interface ModelLineProps {
  readonly name: string;
  readonly right: string;
  /** 0..1, null while it is not known. */
  readonly share?: number | null;
  readonly children: ReactNode;
}

function ModelLine({ name, right, share = null, children }: ModelLineProps) {
  return (
    <div>
      <p className="flex gap-4">
        <b className="min-w-0 flex-1 truncate font-medium">{name}</b>
        <span>{right}</span>
      </p>
      <div className="mt-1 text-ink-2">{children}</div>
      {share !== null && (
        <div
          className="mt-2 h-1 overflow-hidden rounded-1 bg-control"
          role="progressbar"
          aria-label={name}
          aria-valuenow={Math.floor(share * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i className="block h-full origin-left bg-ink-1" style={{ transform: `scaleX(${share})` }} />
        </div>
      )}
    </div>
  );
}

function LoadStarterButton({ again }: { readonly again: boolean }) {
  const send = useCommand();
  return (
    <button type="button" className="button bare" onClick={() => void send((commands) => commands.loadStarterModel())}>
      {again ? "Try the starter model again" : "Load it now"}
    </button>
  );
}

function ChooseFileButton() {
  const send = useCommand();
  return (
    <button type="button" className="button bare" onClick={() => void send((commands) => commands.chooseModelFile())}>
      <Icon name="file" />
      Choose a GGUF file
    </button>
  );
}

function PointAgents() {
  const url = useLive(({ status }) => status.url);
  return (
    <div className="mt-4 flex items-center gap-3 text-12">
      <span className="text-ink-2">Or point your own agents at</span>
      <ServerUrl url={url} />
    </div>
  );
}
