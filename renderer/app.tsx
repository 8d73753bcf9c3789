/** Chooses the screen: the start screen until something has run, then the live one, also while the engine is gone. */
import { type KeyboardEvent, useCallback } from "react";
import { PaneBoundary } from "./drawing/pane";
import { Header } from "./header/header";
import { InspectorPanel } from "./panels/inspector/inspector-panel";
import { LiveScreen } from "./screens/live-screen";
import { ProblemLine } from "./screens/problem-line";
import { StartScreen } from "./screens/start-screen";
import { useLive, useLiveParts } from "./store/live-context";
import type { LiveState } from "./store/live-store";

export function App() {
  const { store } = useLiveParts();
  const screen = useLive(screenOf);
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      if (event.key === "Escape") store.setState({ selected: null });
      if (event.key === "i") store.setState((state) => ({ inspected: state.view.lastDecision?.number ?? null }));
    },
    [store],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc ends the selection wherever the focus is
    <div className="flex h-full flex-col" onKeyDown={onKeyDown}>
      <Header />
      <ProblemLine />
      <PaneBoundary title="This screen">{screen === "live" ? <Live /> : <StartScreen />}</PaneBoundary>
    </div>
  );
}

function Live() {
  const { store } = useLiveParts();
  const inspected = useLive((state) => state.inspected);
  return (
    <div className="flex min-h-0 flex-1">
      <LiveScreen />
      {inspected !== null && (
        <div className="w-[392px] flex-none border-l border-hairline">
          <InspectorPanel
            decision={inspected}
            onInspect={(decision) => store.setState({ inspected: decision })}
            onClose={() => store.setState({ inspected: null })}
          />
        </div>
      )}
    </div>
  );
}

export function screenOf({ view, status }: LiveState): "start" | "live" {
  if (status.outage !== null) return "live";
  if (status.model.phase !== "ready") return "start";
  const { finishedRequests, failedRequests, cancelledRequests } = view.totals;
  const hasRun = view.tasks.length > 0 || finishedRequests + failedRequests + cancelledRequests > 0;
  return hasRun || status.demo.phase !== "idle" ? "live" : "start";
}
