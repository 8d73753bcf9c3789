/** Stands in the now line's place while the engine is gone: what happened, what becomes of the requests, how far it is. */
import { useState } from "react";
import type { EngineOutage } from "../../core/contract/window";
import { Icon, type IconName } from "../drawing/icon";
import { useCommand } from "../store/live-context";
import { type OutageStep, outageOutlook, outageSteps } from "../words/outage";
import { LogDialog } from "./log-dialog";

const ICONS: Record<OutageStep["state"], IconName> = { done: "done", now: "progress", to_come: "cold" };

export function OutageBanner({ outage }: { readonly outage: EngineOutage }) {
  const [logOpen, setLogOpen] = useState(false);
  const givenUp = outage.phase === "given_up";
  return (
    <div
      className="col-span-2 flex min-w-0 items-start gap-3 border-b border-hairline bg-bad-ground px-4 py-3 low:py-2"
      data-testid="outage-banner"
    >
      <span className="pt-0.5 text-bad">
        <Icon name="warning" />
      </span>
      <div className="min-w-0 flex-1" role="status" aria-live="polite">
        <p className="text-15 font-semibold">
          {givenUp ? "The engine could not be started." : "The engine stopped and is restarting."}
        </p>
        {givenUp ? <GivenUp outage={outage} /> : <Restarting outage={outage} />}
      </div>
      <span className="code pt-1.5">{givenUp ? "ENGINE_GIVEN_UP" : "ENGINE_CRASHED"}</span>
      {givenUp && <RestartButton />}
      <button type="button" className={givenUp ? "button bare" : "button"} onClick={() => setLogOpen(true)}>
        Show log
      </button>
      {logOpen && <LogDialog onClose={() => setLogOpen(false)} />}
    </div>
  );
}

function Restarting({ outage }: { readonly outage: EngineOutage }) {
  return (
    <>
      <p className="mt-1 text-12 text-ink-2 low:hidden">{outageOutlook(outage)}</p>
      <ol className="mt-2 flex min-w-0 gap-4 overflow-hidden text-12 whitespace-nowrap low:mt-1">
        {outageSteps(outage).map((step, index) => (
          <li
            // The steps never change places.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            title={step.text}
            className={`flex items-center gap-1 ${index === 0 ? "min-w-0" : "flex-none"} ${step.state === "to_come" ? "text-ink-2" : ""}`}
          >
            <Icon name={ICONS[step.state]} small />
            <span className="truncate">{step.text}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function GivenUp({ outage }: { readonly outage: EngineOutage }) {
  return (
    <p className="mt-1 text-12 text-ink-2 select-text">
      {outage.attemptsMax} tries failed. The last one: {outage.reason}
    </p>
  );
}

function RestartButton() {
  const send = useCommand();
  return (
    <button type="button" className="button lead" onClick={() => void send((commands) => commands.restartEngine())}>
      Restart
    </button>
  );
}
