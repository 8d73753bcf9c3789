/** Why the last command was refused, until it is read. */
import { Icon } from "../drawing/icon";
import { useLive, useLiveParts } from "../store/live-context";

export function ProblemLine() {
  const { store } = useLiveParts();
  const problem = useLive((state) => state.problem);
  if (problem === null) return null;
  return (
    <div
      role="alert"
      className="flex flex-none items-center gap-3 border-b border-hairline bg-bad-ground py-1 pr-2 pl-4 text-12"
    >
      <span className="text-bad">
        <Icon name="warning" />
      </span>
      <p className="min-w-0 flex-1 select-text">{problem}</p>
      <button
        type="button"
        className="button bare square"
        title="Close"
        aria-label="Close"
        onClick={() => store.setState({ problem: null })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
