/**
 * The menu of a request, by right-click or the menu key on any row, node or slot that stands for it: why it waits, and what can be
 * done to it. The same acts as everywhere, so each has its Undo.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { RequestId } from "../../core/contract/ids";
import { Icon, type IconName } from "../drawing/icon";
import { type LiveParts, useLive, useLiveParts } from "../store/live-context";
import type { LiveState } from "../store/live-store";
import { inspect } from "../store/navigate";
import { isLive } from "./is-live";
import { cancelRequest, moveUp, pinPrefix, undoMoveUp, unpinPrefix } from "./server-acts";

interface Item {
  readonly icon: IconName;
  readonly words: string;
  readonly run: () => void;
}

/** What fits the request at this moment; nothing can be done to a past one. */
export function menuItems(parts: LiveParts, state: LiveState, requestId: RequestId): readonly Item[] {
  const request = state.view.requests[requestId];
  if (request === undefined) return [];
  const { label, agent, phase, movedUp } = request;
  const row = state.view.queue.find((one) => one.requestId === requestId);
  const items: Item[] = [];
  if (row) items.push({ icon: "waiting", words: `Why ${label} waits`, run: () => inspect(parts, row.decision) });
  if (!isLive(state)) return items;
  if (phase === "waiting") {
    items.push(
      movedUp
        ? { icon: "open", words: "Give it the policy's place again", run: () => undoMoveUp(parts, requestId, label) }
        : { icon: "up", words: "Move up to the front", run: () => moveUp(parts, requestId, label) },
    );
  }
  items.push(
    state.view.pinned.includes(agent)
      ? { icon: "pinned", words: `Unpin the prefix of ${agent}`, run: () => unpinPrefix(parts, agent) }
      : { icon: "pin", words: `Pin the prefix of ${agent}`, run: () => pinPrefix(parts, agent) },
    { icon: "close", words: `Cancel ${label}`, run: () => cancelRequest(parts, requestId, label) },
  );
  return items;
}

interface Opened {
  readonly requestId: RequestId;
  readonly x: number;
  readonly y: number;
  /** Gets the focus back. */
  readonly from: HTMLElement;
}

const WIDTH = 260;
const ITEM_HEIGHT = 28;

export function RequestMenu() {
  const parts = useLiveParts();
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    const onContextMenu = (event: MouseEvent) => {
      const from = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-request]") : null;
      const requestId = from?.dataset.request;
      if (!from || requestId === undefined) return;
      event.preventDefault();
      // The menu key has no place of its own: the menu opens at the row.
      const box = from.getBoundingClientRect();
      const byKey = event.clientX === 0 && event.clientY === 0;
      setOpened({ requestId, from, x: byKey ? box.left + 24 : event.clientX, y: byKey ? box.bottom : event.clientY });
    };
    window.addEventListener("contextmenu", onContextMenu);
    return () => window.removeEventListener("contextmenu", onContextMenu);
  }, []);
  const items = useLive((state) => opened !== null && menuItems(parts, state, opened.requestId).length > 0);
  if (opened === null || !items) return null;
  const close = () => {
    setOpened(null);
    opened.from.focus();
  };
  return <Menu key={opened.requestId} opened={opened} onClose={close} />;
}

function Menu({ opened, onClose }: { readonly opened: Opened; readonly onClose: () => void }) {
  const parts = useLiveParts();
  const menu = useRef<HTMLDivElement>(null);
  const items = menuItems(parts, parts.store.getState(), opened.requestId);
  useEffect(() => menu.current?.querySelector<HTMLElement>("button")?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      return onClose();
    }
    const all = [...(menu.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  };
  const left = Math.max(8, Math.min(opened.x, window.innerWidth - WIDTH - 8));
  const top = Math.max(8, Math.min(opened.y, window.innerHeight - items.length * ITEM_HEIGHT - 20));
  return (
    <section aria-label="Menu of a request">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the menu closes it; keys have Esc */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div className="fixed inset-0 z-30" onClick={onClose} onContextMenu={onClose} />
      <div
        ref={menu}
        role="menu"
        tabIndex={-1}
        aria-label="What can be done"
        data-testid="request-menu"
        className="fixed z-30 rounded-4 border border-edge bg-pane p-1 text-12 shadow-lift"
        style={{ left, top, width: WIDTH }}
        onKeyDown={onKeyDown}
      >
        {items.map(({ icon, words, run }) => (
          <button
            key={words}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className="flex h-7 w-full items-center gap-2 rounded-3 px-2 hover:bg-control focus:bg-control focus:outline-none"
            onClick={() => {
              onClose();
              run();
            }}
          >
            <Icon name={icon} small />
            <span className="truncate" dir="auto">
              {words}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}
