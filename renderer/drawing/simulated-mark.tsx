/** Stands beside numbers that come from the simulator, and only then. */
import { useLive } from "../store/live-context";

export function SimulatedMark() {
  const simulated = useLive(({ status }) => status.recording?.simulated === true);
  return simulated ? (
    <span className="flex-none rounded-2 bg-control px-1 text-11 leading-4 text-ink-1" data-testid="simulated">
      simulated
    </span>
  ) : null;
}
