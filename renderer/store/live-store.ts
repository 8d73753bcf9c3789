/**
 * Everything the window shows. The panels are functions of (event log, cursor, selection): `view` and `lanes` are the
 * moment at the cursor. Data comes only from live-feed.ts, the cursor and the selection only from navigate.ts.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Milliseconds, RequestId } from "../../core/contract/ids";
import type { PolicyName } from "../../core/contract/policy-name";
import type { AppStatus } from "../../core/contract/window";
import { type Lanes, lanesOf } from "../../core/view/lanes";
import type { LiveView } from "../../core/view/view";
import { createHistory, type History } from "./kept-history";

export interface MovedRow {
  readonly fromPlace: number;
  readonly atMs: Milliseconds;
}

export interface PolicySwitch {
  readonly policy: PolicyName;
  /** The first decision made by it. */
  readonly fromDecision: number;
  readonly atMs: Milliseconds;
}

/** The window's views, in the order of the rail. */
export type Page = "live" | "timeline" | "workflows" | "models" | "server" | "settings";

/** Where somebody looks: what back and forward go through. */
export interface Place {
  readonly page: Page;
  /** Number of the event whose moment is shown; null: the newest, and on with the newest. */
  readonly cursor: number | null;
  /** Key of the selected request or stage (selection.ts), one for all panels. */
  readonly selected: string | null;
  /** Number of the decision that the inspector shows; null: it is closed. */
  readonly inspected: number | null;
}

/** Said for a short time at the foot of the window; `undo` takes back what was done. */
export interface Toast {
  readonly key: number;
  readonly text: string;
  readonly undo: (() => void) | null;
}

export type Overlay = "keys" | "palette" | null;

export interface LiveState extends Place {
  /** The moment at the cursor. */
  readonly view: LiveView;
  readonly lanes: Lanes;
  readonly status: AppStatus;
  readonly history: History;
  readonly back: readonly Place[];
  readonly forward: readonly Place[];
  /** Queue rows that moved a short time ago. */
  readonly moved: Readonly<Record<RequestId, MovedRow>>;
  readonly policySwitch: PolicySwitch | null;
  /** Why the last command was refused; null once it is read. */
  readonly problem: string | null;
  readonly toast: Toast | null;
  readonly overlay: Overlay;
  /** How much time the lanes show. */
  readonly lanesMs: Milliseconds;
}

export type LiveStore = StoreApi<LiveState>;

export const LANES_AT_FIRST_MS = 8_000;

export function createLiveStore(start: Pick<LiveState, "view" | "status"> & Partial<LiveState>): LiveStore {
  const lanes = start.lanes ?? lanesOf(start.view);
  return createStore<LiveState>()(() => ({
    lanes,
    history: createHistory({ view: start.view, lanes }),
    page: "live",
    cursor: null,
    selected: null,
    inspected: null,
    back: [],
    forward: [],
    moved: {},
    policySwitch: null,
    problem: null,
    toast: null,
    overlay: null,
    lanesMs: LANES_AT_FIRST_MS,
    ...start,
  }));
}
