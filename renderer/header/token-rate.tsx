/** Tokens per second over the last 60 s as an ink line from zero, with the number of the last whole second. */
import { useLive, useNow } from "../store/live-context";
import { count } from "../words/figures";
import { wholeSecondRates } from "../words/rates";

const WIDTH = 72;
const BASE = 22;

export function TokenRate() {
  const series = useLive((state) => state.view.tokensPerSecond);
  const endSecond = useLive((state) => state.view.tokensPerSecondAt);
  const rates = wholeSecondRates(series, endSecond, useNow(1_000));
  const simulated = useLive(({ status }) => status.recording?.simulated === true);
  const newest = rates.at(-1) ?? 0;
  const top = Math.max(10, ...rates);
  const y = (rate: number) => (BASE - (rate / top) * 20).toFixed(1);
  const points = rates
    .map((rate, index) => `${((index * WIDTH) / (rates.length - 1)).toFixed(1)},${y(rate)}`)
    .join(" ");
  return (
    <div
      className="flex flex-none items-center gap-2 whitespace-nowrap"
      title="Generated tokens per second, prefill left out, last 60 s"
    >
      <svg viewBox={`0 0 ${WIDTH} 24`} className="h-6 w-[72px] overflow-visible" aria-hidden="true">
        <path d={`M0 ${BASE + 0.5}H${WIDTH}`} stroke="var(--line-2)" />
        <polyline points={points} fill="none" stroke="var(--ink-2)" strokeWidth="1.25" />
        <circle cx={WIDTH} cy={y(newest)} r="2" fill="var(--ink-1)" />
      </svg>
      <span className="grid min-w-12">
        <b className="text-12 font-medium">{count(newest)}</b>
        <small className="text-11 text-ink-2">{simulated ? "tokens/s, simulated" : "tokens/s"}</small>
      </span>
    </div>
  );
}
