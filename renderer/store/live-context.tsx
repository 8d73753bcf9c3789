/** How components reach the store, the clock and the commands. Selectors must return primitives or stable slices. */
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Milliseconds } from "../../core/contract/ids";
import type { CommandResult, TopasBridge } from "../../core/contract/window";
import type { Clock } from "./clock";
import type { LiveState, LiveStore } from "./live-store";

export interface LiveParts {
  readonly store: LiveStore;
  readonly clock: Clock;
  readonly commands: TopasBridge;
}

const LiveContext = createContext<LiveParts | null>(null);

export function LiveProvider({ parts, children }: { readonly parts: LiveParts; readonly children: ReactNode }) {
  return <LiveContext value={parts}>{children}</LiveContext>;
}

export function useLiveParts(): LiveParts {
  const parts = useContext(LiveContext);
  if (parts === null) throw new Error("A part of the window was drawn outside of LiveProvider.");
  return parts;
}

export function useLive<Value>(select: (state: LiveState) => Value): Value {
  return useStore(useLiveParts().store, select);
}

/** For selectors that build an array or object: draws again only when one of its entries differs. */
export function useLiveShape<Value>(select: (state: LiveState) => Value): Value {
  return useStore(useLiveParts().store, useShallow(select));
}

/** The server's time, rounded down to whole steps; draws again at each step. */
export function useNow(stepMs: Milliseconds): Milliseconds {
  const { clock } = useLiveParts();
  const read = () => Math.floor(clock.now() / stepMs) * stepMs;
  return useSyncExternalStore(clock.subscribe, read, read);
}

/** Sends a command; if it is refused the window says why. */
export function useCommand(): (send: (commands: TopasBridge) => Promise<CommandResult>) => Promise<boolean> {
  const { store, commands } = useLiveParts();
  return async (send) => {
    const result = await send(commands).catch(
      (error: unknown): CommandResult => ({ ok: false, message: String(error) }),
    );
    store.setState({ problem: result.ok ? null : result.message });
    return result.ok;
  };
}
