/** Runs the demo crew on the real engine. While the main process gets ready it cannot be pressed again. */
import { useState } from "react";
import { useCommand } from "../store/live-context";

export function useRunDemo(): { readonly asked: boolean; readonly run: () => void } {
  const send = useCommand();
  const [asked, setAsked] = useState(false);
  const run = () => {
    setAsked(true);
    void send((commands) => commands.runDemo()).then(() => setAsked(false));
  };
  return { asked, run };
}

export function DemoButton({ words }: { readonly words: string }) {
  const { asked, run } = useRunDemo();
  return (
    <button type="button" className="button h-6" data-testid="run-demo" disabled={asked} onClick={run}>
      {words}
    </button>
  );
}
