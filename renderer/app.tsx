/**
 * The frame: header, rail, the view that is open, and the inspector. Live is the start screen until something has run, then the
 * live one, also while the engine is gone.
 */
import { Overlays } from "./acts/overlays";
import { useDroppedFiles } from "./acts/recording-acts";
import { useKeys } from "./acts/use-keys";
import { PaneBoundary } from "./drawing/pane";
import { Header } from "./header/header";
import { ModelsPage } from "./pages/models-page";
import { Rail } from "./pages/rail";
import { ServerPage } from "./pages/server-page";
import { SettingsPage } from "./pages/settings-page";
import { TimelinePage } from "./pages/timeline-page";
import { WorkflowsPage } from "./pages/workflows-page";
import { InspectorPanel } from "./panels/inspector/inspector-panel";
import { LiveScreen } from "./screens/live-screen";
import { PausedLine } from "./screens/paused-line";
import { ProblemLine } from "./screens/problem-line";
import { StartScreen } from "./screens/start-screen";
import { useLive, useLiveParts } from "./store/live-context";
import type { LiveState, Page } from "./store/live-store";
import { closeInspector, inspect } from "./store/navigate";

export function App() {
  useKeys();
  useDroppedFiles();
  return (
    <div className="flex h-full flex-col">
      <Header />
      <PausedLine />
      <ProblemLine />
      <Middle />
      <Overlays />
    </div>
  );
}

/** The inspector is docked where there is room for it; in a narrower window it lies over the page. */
function Middle() {
  const parts = useLiveParts();
  const page = useLive((state) => state.page);
  const inspected = useLive((state) => state.inspected);
  return (
    <div className="relative flex min-h-0 flex-1">
      <Rail />
      <PaneBoundary key={page} title="This view">
        <OpenPage page={page} />
      </PaneBoundary>
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

function OpenPage({ page }: { readonly page: Page }) {
  const screen = useLive(screenOf);
  switch (page) {
    case "live":
      return screen === "live" ? <LiveScreen /> : <StartScreen />;
    case "timeline":
      return <TimelinePage />;
    case "workflows":
      return <WorkflowsPage />;
    case "models":
      return <ModelsPage />;
    case "server":
      return <ServerPage />;
    case "settings":
      return <SettingsPage />;
    default:
      return page satisfies never;
  }
}

export function screenOf({ view, status, cursor }: LiveState): "start" | "live" {
  // A past moment is one of the live screen, also where nothing had run yet: the way back is there.
  if (status.outage !== null || status.recording !== null || cursor !== null) return "live";
  if (status.model.phase !== "ready") return "start";
  const { finishedRequests, failedRequests, cancelledRequests } = view.totals;
  const hasRun = view.tasks.length > 0 || finishedRequests + failedRequests + cancelledRequests > 0;
  return hasRun || status.demo.phase !== "idle" ? "live" : "start";
}
