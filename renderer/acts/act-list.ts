/**
 * Everything that can be done from the keyboard, once: the key map, the help and the palette are all made from this list,
 * so that none of them can promise what another does not do.
 */
import type { CommandResult, TopasBridge } from "../../core/contract/window";
import { PAGES } from "../pages/rail";
import type { LiveParts } from "../store/live-context";
import type { LiveState } from "../store/live-store";
import {
  closeInspector,
  goBack,
  goForward,
  goLive,
  goToDecision,
  goToTime,
  inspect,
  openPage,
  pauseOrGoOn,
  step,
  stepDecision,
} from "../store/navigate";
import { requestOfKey } from "../store/selection";
import { POLICIES } from "../words/policies";
import { isLive } from "./is-live";
import { RECORDING_ACTS } from "./recording-acts";
import { cancelRequest, choosePolicy, moveUp, pinPrefix, setQueuePaused, unpinPrefix } from "./server-acts";

export interface Act {
  readonly words: string;
  /** As on the keyboard: "Space", "Shift+ArrowLeft"; none: only in the palette. */
  readonly keys: readonly string[];
  /** Whether it makes sense now; left out: always. */
  readonly fits?: (state: LiveState) => boolean;
  readonly run: (parts: LiveParts) => void;
}

const LANES_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000, 30_000, 60_000];

function zoom({ store }: LiveParts, by: -1 | 1): void {
  const { lanesMs } = store.getState();
  const at = LANES_MS.indexOf(lanesMs);
  store.setState({ lanesMs: LANES_MS[Math.min(LANES_MS.length - 1, Math.max(0, at + by))] ?? lanesMs });
}

/** A quarter of what the lanes show. */
function shiftTime({ store, clock }: LiveParts, by: -1 | 1): void {
  const { view, lanesMs, history } = store.getState();
  const atMs = view.atMs + (by * lanesMs) / 4;
  if (atMs >= history.timeOf(history.lastNumber)) goLive({ store, clock });
  else {
    const number = history.numberAt(atMs);
    step({ store, clock }, number - (store.getState().cursor ?? history.lastNumber));
  }
}

function selectedSpans({ lanes, selected }: LiveState) {
  const requestId = requestOfKey(selected);
  const spans = [...lanes.over, ...lanes.open.filter((span) => span !== null)];
  return requestId === null ? [] : spans.filter((span) => span.requestId === requestId);
}

/** As much time as it takes to see the selected request from its arrival on, up to its end if it has ended. */
function fitSelection(parts: LiveParts): void {
  const spans = selectedSpans(parts.store.getState());
  const fromMs = Math.min(...spans.map((span) => span.arrivedAtMs ?? span.fromMs));
  const endMs = spans.some((span) => span.toMs === null) ? null : Math.max(...spans.map((span) => span.toMs ?? 0));
  if (endMs !== null) goToTime(parts, endMs);
  const neededMs = (endMs ?? parts.clock.now()) - fromMs;
  const lanesMs = LANES_MS.find((ms) => ms >= neededMs) ?? LANES_MS.at(-1);
  if (lanesMs !== undefined) parts.store.setState({ lanesMs });
}

const command = (send: (commands: TopasBridge) => Promise<CommandResult>) => (parts: LiveParts) => {
  void send(parts.commands).then((result) => parts.store.setState({ problem: result.ok ? null : result.message }));
};

/** The request that the selection stands for. */
export function selectedRequest({ selected, view }: LiveState) {
  const requestId = requestOfKey(selected);
  return requestId === null ? undefined : view.requests[requestId];
}

/** The decision behind the selected row, else the last one. */
export function decisionInQuestion(state: LiveState): number | null {
  const request = selectedRequest(state);
  const row = request && state.view.queue.find((one) => one.requestId === request.requestId);
  return row?.decision ?? state.view.lastDecision?.number ?? null;
}

function toggleInspector(parts: LiveParts): void {
  const state = parts.store.getState();
  const decision = decisionInQuestion(state);
  if (state.inspected !== null) closeInspector(parts);
  else if (decision !== null) inspect(parts, decision);
}

const waits = (state: LiveState) => isLive(state) && selectedRequest(state)?.phase === "waiting";

export const ACTS: readonly Act[] = [
  ...PAGES.map(({ page, name, key }) => ({
    words: `Go to ${name}`,
    keys: [key],
    run: (parts: LiveParts) => openPage(parts, page),
  })),
  { words: "Live or paused", keys: [" "], run: pauseOrGoOn },
  { words: "One event back", keys: ["ArrowLeft"], run: (parts) => step(parts, -1) },
  { words: "One event on", keys: ["ArrowRight"], run: (parts) => step(parts, 1) },
  { words: "Decision before", keys: ["j", "Shift+ArrowLeft"], run: (parts) => stepDecision(parts, -1) },
  { words: "Decision after", keys: ["k", "Shift+ArrowRight"], run: (parts) => stepDecision(parts, 1) },
  { words: "Why: open or close the inspector", keys: ["i"], run: toggleInspector },
  {
    words: "Go to the last decision's moment",
    keys: [],
    run: (parts) => {
      const decision = parts.store.getState().view.lastDecision?.number;
      if (decision !== undefined) goToDecision(parts, decision);
    },
  },
  { words: "Back to where you looked before", keys: ["Alt+ArrowLeft", "["], run: goBack },
  { words: "Forward again", keys: ["Alt+ArrowRight", "]"], run: goForward },
  { words: "Lanes: show less time", keys: ["w"], run: (parts) => zoom(parts, -1) },
  { words: "Lanes: show more time", keys: ["s"], run: (parts) => zoom(parts, 1) },
  { words: "Lanes: earlier", keys: ["a"], run: (parts) => shiftTime(parts, -1) },
  { words: "Lanes: later", keys: ["d"], run: (parts) => shiftTime(parts, 1) },
  {
    words: "Lanes: fit the selected request",
    keys: ["f"],
    fits: (state) => selectedSpans(state).length > 0,
    run: fitSelection,
  },
  { words: "Next pane", keys: ["F6"], run: () => focusNextPane() },
  {
    words: "Pause the queue",
    keys: [],
    fits: (state) => isLive(state) && state.view.pausedSinceMs === null,
    run: (parts) => setQueuePaused(parts, true),
  },
  {
    words: "Resume the queue",
    keys: [],
    fits: (state) => isLive(state) && state.view.pausedSinceMs !== null,
    run: (parts) => setQueuePaused(parts, false),
  },
  {
    words: "Move the selected request up",
    keys: ["u"],
    fits: waits,
    run: (parts) => withRequest(parts, (request) => moveUp(parts, request.requestId, request.label)),
  },
  {
    words: "Cancel the selected request",
    keys: ["Delete"],
    fits: (state) => isLive(state) && selectedRequest(state) !== undefined,
    run: (parts) => withRequest(parts, (request) => cancelRequest(parts, request.requestId, request.label)),
  },
  {
    words: "Pin or unpin the selected request's prefix",
    keys: ["Shift+P"],
    fits: (state) => isLive(state) && selectedRequest(state) !== undefined,
    run: (parts) =>
      withRequest(parts, ({ agent }) =>
        parts.store.getState().view.pinned.includes(agent) ? unpinPrefix(parts, agent) : pinPrefix(parts, agent),
      ),
  },
  ...POLICIES.map(({ name, label, line }) => ({
    words: `Policy: ${label}. ${line}`,
    keys: [],
    fits: (state: LiveState) => isLive(state) && state.view.policy !== name,
    run: (parts: LiveParts) => choosePolicy(parts, name),
  })),
  { words: "Choose a policy", keys: ["p"], run: focusPolicy },
  {
    words: "Run the demo crew",
    keys: [],
    fits: ({ status }) => status.recording === null && status.demo.phase !== "running",
    run: command((to) => to.runDemo()),
  },
  {
    words: "Stop the demo crew",
    keys: [],
    fits: ({ status }) => status.demo.phase === "running",
    run: command((to) => to.stopDemo()),
  },
  { words: "Choose a GGUF file", keys: ["m"], run: command((to) => to.chooseModelFile()) },
  ...RECORDING_ACTS,
  { words: "Command palette", keys: ["Ctrl+k"], run: ({ store }) => store.setState({ overlay: "palette" }) },
  { words: "All keys", keys: ["?"], run: ({ store }) => store.setState({ overlay: "keys" }) },
];

function withRequest(parts: LiveParts, run: (request: NonNullable<ReturnType<typeof selectedRequest>>) => void): void {
  const request = selectedRequest(parts.store.getState());
  if (request) run(request);
}

/** The button of the chosen policy; in a narrow window only the one with the menu can be seen. */
function focusPolicy(): void {
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-testid=header-policy] [role=radio]")];
  const seen = buttons.filter((button) => button.offsetParent !== null);
  (seen.find((button) => button.ariaChecked === "true") ?? seen[0])?.focus();
}

/** The first thing that can be reached in the pane after the one that has the focus. */
function focusNextPane(): void {
  const panes = [...document.querySelectorAll<HTMLElement>("[data-testid^=panel-], [data-testid=inspector]")];
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const order = [...panes.slice(at + 1), ...panes.slice(0, at + 1)];
  for (const pane of order) {
    const target = pane.querySelector<HTMLElement>("button, [tabindex='0'], input");
    if (target) return target.focus();
  }
}

/** "Shift+ArrowLeft" for the event of that key; letters say nothing of Shift unless they are capitals. */
export function keyName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const { key } = event;
  const parts = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : ""];
  const namesShift = event.shiftKey && (key.length > 1 || /[A-Z]/.test(key));
  return [...parts, namesShift ? "Shift" : "", key].filter((part) => part !== "").join("+");
}

export function actOf(name: string): Act | undefined {
  return ACTS.find((act) => act.keys.includes(name));
}

const SIGNS: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowLeft: "←",
  ArrowRight: "→",
  Delete: "Del",
};

/** As it stands on the keys: "Shift ←", "J". */
export function keyWords(name: string): string {
  return name
    .split("+")
    .map((part) => SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}
