/** Stops the demo crew; its requests are cancelled by the main process. */
import { useCommand } from "../store/live-context";

export function StopDemoButton() {
  const send = useCommand();
  return (
    <button type="button" className="button h-6" onClick={() => void send((commands) => commands.stopDemo())}>
      Stop
    </button>
  );
}
