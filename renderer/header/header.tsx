/** The bar at the top: what serves, where, how fast, and by which policy. It is also where the window is dragged. */
import { Gem } from "../drawing/gem";
import { ServerUrl } from "../drawing/server-url";
import { useLive } from "../store/live-context";
import { LiveSwitch } from "./live-switch";
import { ModelName } from "./model-name";
import { PolicySwitch } from "./policy-switch";
import { RecordButton } from "./record-button";
import { TokenRate } from "./token-rate";

export function Header() {
  const url = useLive((state) => state.status.url);
  const recorded = useLive((state) => state.status.recording !== null);
  const platform = useLive((state) => state.status.platform);
  return (
    <header
      data-platform={platform}
      className="drag flex h-12 flex-none items-center gap-3 border-b border-hairline narrow:gap-2"
    >
      <div className="brand flex flex-none items-center gap-3 font-semibold whitespace-nowrap">
        <span className="gem grid place-items-center">
          <Gem />
        </span>
        <span>
          TOPAS <span className="font-normal text-ink-2 narrow:hidden">Desktop</span>
        </span>
      </div>
      <i className="h-5 w-px flex-none bg-edge" />
      <ModelName />
      {recorded ? null : <ServerUrl url={url} />}
      <span className="flex-1" />
      <TokenRate />
      <PolicySwitch />
      {recorded ? null : <LiveSwitch />}
      {recorded ? null : <RecordButton />}
    </header>
  );
}
