/** What lies over the page: all keys, the command palette, and the line that says what was just done. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useLive, useLiveParts } from "../store/live-context";
import { ACTS, type Act, keyWords } from "./act-list";
import { RequestMenu } from "./request-menu";

export function Overlays() {
  const overlay = useLive((state) => state.overlay);
  return (
    <>
      {overlay === "keys" && <KeyHelp />}
      {overlay === "palette" && <Palette />}
      <RequestMenu />
      <ToastLine />
    </>
  );
}

function Overlay({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { store } = useLiveParts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className="mx-auto mt-[12vh] w-[min(640px,calc(100vw-80px))] rounded-4 border border-edge bg-pane p-0 text-ink-1 shadow-lift backdrop:bg-window/60"
      onClose={() => store.setState({ overlay: null })}
    >
      {children}
    </dialog>
  );
}

function Keys({ act }: { readonly act: Act }) {
  return (
    <span className="flex flex-none gap-1.5 text-ink-2">
      {act.keys.map((name) => (
        <kbd key={name}>{keyWords(name)}</kbd>
      ))}
    </span>
  );
}

function KeyHelp() {
  return (
    <Overlay label="All keys">
      <h2 className="border-b border-hairline px-4 py-3 text-13">All keys</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be longer than the window, and is scrolled by keys */}
      <ul tabIndex={0} aria-label="Keys" className="grid max-h-[60vh] gap-x-8 gap-y-1.5 overflow-auto p-4 text-12">
        {ACTS.filter((act) => act.keys.length > 0).map((act) => (
          <li key={act.words} className="flex justify-between gap-4">
            {act.words}
            <Keys act={act} />
          </li>
        ))}
        <li className="flex justify-between gap-4">
          Row, candidate or node{" "}
          <span className="text-ink-2">
            <kbd>↑</kbd> <kbd>↓</kbd>
          </span>
        </li>
        <li className="flex justify-between gap-4">
          Close, end the selection <kbd>Esc</kbd>
        </li>
      </ul>
    </Overlay>
  );
}

/** Every word that was typed has to be in it, in any order. */
export function fittingActs(acts: readonly Act[], typed: string): readonly Act[] {
  const words = typed.toLowerCase().split(/\s+/);
  return acts.filter((act) => words.every((word) => act.words.toLowerCase().includes(word)));
}

function Palette() {
  const parts = useLiveParts();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const state = parts.store.getState();
  const shown = fittingActs(ACTS, typed).filter((act) => act.fits?.(state) !== false && !act.keys.includes("Ctrl+k"));
  const run = (act: Act | undefined) => {
    parts.store.setState({ overlay: null });
    act?.run(parts);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") run(shown[at]);
    else if (by !== undefined) setAt((at + by + shown.length) % Math.max(1, shown.length));
    else return;
    event.preventDefault();
  };
  return (
    <Overlay label="Command palette">
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to type
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-acts"
        aria-activedescendant={shown[at] ? `palette-act-${at}` : undefined}
        aria-label="What to do"
        placeholder="What to do"
        className="h-12 w-full border-b border-hairline bg-pane px-4 text-13 outline-none placeholder:text-ink-3"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-acts" role="listbox" aria-label="Commands" className="max-h-[50vh] overflow-auto p-1">
        {shown.map((act, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field above, as in every combobox
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={act.words}
            id={`palette-act-${index}`}
            role="option"
            aria-selected={index === at}
            className="flex min-h-7 items-center justify-between gap-4 rounded-3 px-3 text-12 aria-selected:bg-control"
            onClick={() => run(act)}
          >
            <span className="truncate">{act.words}</span>
            <Keys act={act} />
          </div>
        ))}
        {shown.length === 0 && <p className="p-3 text-12 text-ink-2">Nothing fits.</p>}
      </div>
    </Overlay>
  );
}

function ToastLine() {
  const { store } = useLiveParts();
  const toast = useLive((state) => state.toast);
  return (
    <div role="status" aria-live="polite" className="fixed bottom-6 left-1/2 z-20 -translate-x-1/2">
      {toast !== null && (
        <p
          data-testid="toast"
          className="flex items-center gap-3 rounded-4 border border-edge bg-pane py-2 pr-2 pl-4 text-12 shadow-lift"
        >
          {toast.text}
          {toast.undo !== null && (
            <button
              type="button"
              className="button"
              onClick={() => {
                store.setState({ toast: null });
                toast.undo?.();
              }}
            >
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
