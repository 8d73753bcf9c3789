/** Live or paused: whether the window goes along with the newest event or stands at a past one. The server goes on in both. */
import { Icon } from "../drawing/icon";
import { useLive, useLiveParts } from "../store/live-context";
import { goLive, goTo } from "../store/navigate";

const SEGMENT =
  "flex items-center gap-1 rounded-2 px-2 text-ink-2 hover:text-ink-1 aria-pressed:bg-pane aria-pressed:text-ink-1 " +
  "aria-pressed:[box-shadow:0_0_0_1px_var(--line-2)]";

export function LiveSwitch() {
  const parts = useLiveParts();
  const paused = useLive((state) => state.cursor !== null);
  const pause = () => goTo(parts, parts.store.getState().history.lastNumber);
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons that stand side by side, not a form
    <div
      role="group"
      aria-label="What the window shows"
      className="flex h-7 flex-none gap-0.5 rounded-3 bg-control p-0.5 text-12 font-medium"
    >
      <button
        type="button"
        aria-pressed={!paused}
        title="Go along with the newest event (Space)"
        className={SEGMENT}
        onClick={() => goLive(parts)}
      >
        <Icon name="running" small />
        Live
      </button>
      <button
        type="button"
        aria-pressed={paused}
        title="Stay at this moment (Space)"
        className={SEGMENT}
        data-testid="pause-view"
        onClick={pause}
      >
        <Icon name="held" small />
        <span className="narrow:sr-only">Paused</span>
      </button>
    </div>
  );
}
