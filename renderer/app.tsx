/** Chooses the screen: the start screen until something has run, then the live one, also while the engine is gone. */
import { Overlays } from "./acts/overlays";
import { useDroppedFiles } from "./acts/recording-acts";
import { useKeys } from "./acts/use-keys";
import { PaneBoundary } from "./drawing/pane";
import { Header } from "./header/header";
import { InspectorPanel } from "./panels/inspector/inspector-panel";
import { LiveScreen } from "./screens/live-screen";
import { PausedLine } from "./screens/paused-line";
import { ProblemLine } from "./screens/problem-line";
import { StartScreen } from "./screens/start-screen";
import { useLive, useLiveParts } from "./store/live-context";
import type { LiveState } from "./store/live-store";
import { closeInspector, inspect } from "./store/navigate";

export function App() {
  const screen = useLive(screenOf);
  useKeys();
  useDroppedFiles();
  return (
    <div className="flex h-full flex-col">
      <Header />
      <PausedLine />
      <ProblemLine />
      <PaneBoundary title="This screen">{screen === "live" ? <Live /> : <StartScreen />}</PaneBoundary>
      <Overlays />
    </div>
  );
}

/** The inspector is docked where there is room for it; in a narrower window it lies over the page. */
function Live() {
  const parts = useLiveParts();
  const inspected = useLive((state) => state.inspected);
  return (
    <div className="relative flex min-h-0 flex-1">
      <LiveScreen />
      {inspected !== null && (
        <div className="drawer w-[392px] flex-none border-l border-hairline bg-window">
          <InspectorPanel
            decision={inspected}
            onInspect={(decision) => inspect(parts, decision)}
            onClose={() => closeInspector(parts)}
          />
        </div>
      )}
    </div>
  );
}

export function screenOf({ view, status }: LiveState): "start" | "live" {
  if (status.outage !== null || status.recording !== null) return "live";
  if (status.model.phase !== "ready") return "start";
  const { finishedRequests, failedRequests, cancelledRequests } = view.totals;
  const hasRun = view.tasks.length > 0 || finishedRequests + failedRequests + cancelledRequests > 0;
  return hasRun || status.demo.phase !== "idle" ? "live" : "start";
}
