/** Under the header while a past moment is shown: which one, and how to go on. */
import { useLive, useLiveParts } from "../store/live-context";
import { goLive } from "../store/navigate";
import { age, count } from "../words/figures";

export function PausedLine() {
  const parts = useLiveParts();
  const paused = useLive((state) => state.cursor !== null);
  const atMs = useLive((state) => (state.cursor === null ? 0 : state.view.atMs));
  const number = useLive((state) => state.cursor);
  if (!paused || number === null) return null;
  return (
    <div
      role="status"
      data-testid="paused-line"
      className="flex h-7 flex-none items-center gap-3 border-t-2 border-b border-t-ink-1 border-b-hairline bg-window px-4 text-12"
    >
      <b className="font-semibold">Paused at {age(atMs)}</b>
      <span className="min-w-0 flex-1 truncate text-ink-2">
        Event {count(number)}. The server goes on; all panels show this moment. Left and Right go by event, J and K by
        decision.
      </span>
      <button type="button" className="button bare h-6" onClick={() => goLive(parts)}>
        Go live <kbd>Space</kbd>
      </button>
    </div>
  );
}
