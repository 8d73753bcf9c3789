/** The last lines of the engine's log, over the page; Esc closes it. */
import { useEffect, useRef, useState } from "react";
import { Icon } from "../drawing/icon";
import { useLiveParts } from "../store/live-context";

export function LogDialog({ onClose }: { readonly onClose: () => void }) {
  const { commands } = useLiveParts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [log, setLog] = useState<string | null>(null);
  useEffect(() => {
    dialog.current?.showModal();
    commands.readEngineLog().then(setLog, (error: unknown) => setLog(`The log cannot be read: ${String(error)}`));
  }, [commands]);
  const words = log === null ? "Reading…" : log.trim() === "" ? "The engine has written nothing." : log;
  return (
    <dialog
      ref={dialog}
      aria-label="Engine log"
      className="m-auto w-[min(880px,calc(100vw-80px))] rounded-4 border border-edge bg-pane p-0 text-ink-1 shadow-lift backdrop:bg-window/60"
      onClose={onClose}
    >
      <header className="flex h-12 items-center border-b border-hairline pr-2 pl-4">
        <h2 className="flex-1 text-13">Engine log, last lines</h2>
        <button type="button" className="button bare square" title="Close (Esc)" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <pre className="max-h-[60vh] overflow-auto px-4 py-3 font-mono text-11 whitespace-pre-wrap select-text">
        {words}
      </pre>
    </dialog>
  );
}
