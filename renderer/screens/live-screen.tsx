/** The main screen: now line, workflow graph and residency side by side, the queue below. Its proportions never depend on data. */
import { GraphPanel } from "../panels/graph/graph-panel";
import { LanesPanel } from "../panels/lanes/lanes-panel";
import { QueuePanel } from "../panels/queue/queue-panel";
import { ResidencyPanel } from "../panels/residency/residency-panel";
import { useLive } from "../store/live-context";
import { NowLine } from "./now-line";
import { OutageBanner } from "./outage-banner";

export function LiveScreen() {
  const outage = useLive(({ status, cursor }) => (cursor === null ? status.outage : null));
  return (
    <main className="grid min-h-0 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] grid-rows-[auto_minmax(0,6fr)_minmax(0,5fr)_auto] bg-pane short:grid-rows-[auto_minmax(0,1fr)_minmax(0,1fr)_auto]">
      <h1 className="sr-only">Live</h1>
      {outage === null ? <NowLine /> : <OutageBanner outage={outage} />}
      <GraphPanel />
      <ResidencyPanel />
      <QueuePanel />
      <LanesPanel />
    </main>
  );
}
