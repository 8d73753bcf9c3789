/** Everything the window shows at this moment. Data comes only from live-feed.ts; the page itself sets the selection and problems. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Milliseconds, RequestId } from "../../core/contract/ids";
import type { PolicyName } from "../../core/contract/policy-name";
import type { AppStatus } from "../../core/contract/window";
import type { LiveView } from "../../core/view/view";

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

export interface LiveState {
  readonly view: LiveView;
  readonly status: AppStatus;
  /** Key of the selected request or stage (selection.ts), one for all panels. */
  readonly selected: string | null;
  /** Number of the decision that the inspector shows; null: it is closed. */
  readonly inspected: number | null;
  /** Queue rows that moved a short time ago. */
  readonly moved: Readonly<Record<RequestId, MovedRow>>;
  readonly policySwitch: PolicySwitch | null;
  /** Why the last command was refused; null once it is read. */
  readonly problem: string | null;
}

export type LiveStore = StoreApi<LiveState>;

export function createLiveStore(start: Pick<LiveState, "view" | "status"> & Partial<LiveState>): LiveStore {
  return createStore<LiveState>()(() => ({
    selected: null,
    inspected: null,
    moved: {},
    policySwitch: null,
    problem: null,
    ...start,
  }));
}
