/** Shown until something has run: what to do, in plain words, which model will be used, and what the app is going to show. */
import { useEffect, useRef } from "react";
import { Icon } from "../drawing/icon";
import { useLive } from "../store/live-context";
import { useRunDemo } from "./demo-button";
import { ModelSection } from "./model-section";
import { StartLessons } from "./start-lessons";

export function StartScreen() {
  return (
    <main className="grid min-h-0 flex-1 place-items-center overflow-auto bg-pane p-6" data-testid="start-screen">
      <div className="grid grid-cols-[480px_449px] items-center gap-24 narrow:grid-cols-[520px] narrow:gap-0">
        <div>
          <h1 className="text-32 tracking-[-0.02em] text-balance">
            See what runs, what stays warm and why the rest waits.
          </h1>
          <p className="mt-3 mb-6 text-15 leading-6 text-pretty text-ink-2">
            One local model serves all your agents. Every decision about its KV cache can be seen and questioned.
          </p>
          <RunDemo />
          <ServerProblem />
          <ModelSection />
        </div>
        <StartLessons />
      </div>
    </main>
  );
}

function RunDemo() {
  const button = useRef<HTMLButtonElement>(null);
  const { asked, run } = useRunDemo();
  const model = useLive(({ status }) => status.model);
  const running = useLive(({ status }) => status.demo.phase === "running");
  useEffect(() => button.current?.focus(), []);
  const waits = asked || running;
  const noise = model.phase === "ready" && model.engine.noiseModel;
  return (
    <div className="flex items-center gap-4">
      <button
        ref={button}
        type="button"
        className="button lead big"
        data-testid="run-demo"
        disabled={waits}
        onClick={run}
      >
        <Icon name="running" />
        Run the demo crew
        <kbd>Enter</kbd>
      </button>
      <span className="text-12 text-ink-2">
        {waits && model.phase !== "ready" ? (
          "Starts as soon as the model is ready."
        ) : (
          <>
            Two workflows, seven agents,
            <br />
            on {noise ? "the noise model" : "the real model"}. About two minutes.
          </>
        )}
      </span>
    </div>
  );
}

function ServerProblem() {
  const problem = useLive(({ status }) => status.serverProblem);
  if (problem === null) return null;
  return (
    <p role="alert" className="mt-4 flex items-start gap-2 text-12 select-text">
      <span className="text-bad">
        <Icon name="warning" />
      </span>
      {problem}
    </p>
  );
}
