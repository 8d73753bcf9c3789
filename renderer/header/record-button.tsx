/** Saves what is kept of this run as a recording; the journal is always on, so nothing has to be begun first. */
import { Icon } from "../drawing/icon";
import { useCommand } from "../store/live-context";

export function RecordButton() {
  const send = useCommand();
  const save = () => void send((commands) => commands.saveRecording());
  return (
    <button
      type="button"
      className="button"
      title="Save a recording of this run (R)"
      data-testid="record"
      onClick={save}
    >
      <Icon name="record" />
      Record
    </button>
  );
}
