/** KV residency: what each slot holds, as blocks in the colour of the agent whose prefix it is. */
import type { CSSProperties } from "react";
import type { LiveView } from "../../../core/view/view";
import { LiveText } from "../../drawing/live-text";
import { Pane } from "../../drawing/pane";
import { stepSelection } from "../../drawing/selectable";
import { SimulatedMark } from "../../drawing/simulated-mark";
import { useLive } from "../../store/live-context";
import { count, percent } from "../../words/figures";
import { SlotRow } from "./slot-row";

export function ResidencyPanel() {
  return (
    <Pane title="KV residency" testId="panel-residency" aside={<ResidencyTotals />}>
      <ResidencyBody />
    </Pane>
  );
}

function ResidencyBody() {
  const slots = useLive(({ view }) => view.slots.length);
  if (slots === 0) return <p className="px-4 text-13 text-ink-2">Slots appear when the engine is ready.</p>;
  return (
    <div className="residency-room mx-4 flex min-h-0 flex-1 flex-col">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: moves the focus among the slots inside it */}
      <div className="slots-room min-h-0 flex-1 overflow-x-hidden overflow-y-auto" onKeyDown={stepSelection}>
        <div className={`slots ${slots > 6 ? "many" : ""}`} style={{ "--count": slots } as CSSProperties}>
          {Array.from({ length: slots }, (_, slot) => slot).map((slot) => (
            <SlotRow key={slot} slot={slot} />
          ))}
        </div>
      </div>
      <Legend />
    </div>
  );
}

export function tokensHeld(view: LiveView): string {
  const held = view.engine.phase === "down" ? 0 : view.slots.reduce((sum, slot) => sum + slot.heldTokens, 0);
  return `${count(held)} of ${count(view.slots.length * view.engine.slotTokens)} tokens`;
}

/** Of all prompt tokens admitted so far; null before the first. */
export function reusedShare({ promptTokens, reusedTokens, forkedTokens }: LiveView["totals"]): number | null {
  return promptTokens === 0 ? null : (reusedTokens + forkedTokens) / promptTokens;
}

function ResidencyTotals() {
  const share = useLive(({ view }) => reusedShare(view.totals));
  return (
    <>
      <SimulatedMark />
      <LiveText read={({ view }) => tokensHeld(view)} />
      {share !== null && (
        <>
          <span className="text-ink-3">·</span>
          <span title="Found in a slot or copied from another, of all prompt tokens admitted so far">
            {percent(share)} of prompt tokens reused
          </span>
        </>
      )}
    </>
  );
}

const RUNNING_KEYS = [
  ["prefix", "shared prefix"],
  ["tail", "private tail"],
  ["warm-prefix", "warm, idle"],
  ["pending", "to prefill"],
] as const;

const LOST_KEYS = [
  ["lost-prefix", "prefix it held"],
  ["lost-tail", "tail it held"],
] as const;

function Legend() {
  const down = useLive(({ view }) => view.engine.phase === "down");
  return (
    <div
      className="legend flex flex-none gap-4 overflow-hidden pt-2 pb-3 text-11 text-ink-2 low:hidden"
      style={{ "--a": "var(--ink-2)" } as CSSProperties}
    >
      {(down ? LOST_KEYS : RUNNING_KEYS).map(([kind, word]) => (
        <span key={kind} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <span className="blocks sample">
            <i className={kind} />
            <i className={kind} />
          </span>
          {word}
        </span>
      ))}
    </div>
  );
}
