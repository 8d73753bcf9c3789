/** What a user can do to the running server, each with a line that says it was done and, where it can be, Undo. */
import type { AgentId, RequestId } from "../../core/contract/ids";
import type { PolicyName } from "../../core/contract/policy-name";
import type { CommandResult } from "../../core/contract/window";
import type { LiveParts } from "../store/live-context";
import { policyLabel } from "../words/policies";

const TOAST_SHOWN_MS = 6_000;

let toasts = 0;

/** Undone, it says so by itself: the undoing is an act like the others. */
async function act(
  parts: LiveParts,
  sent: Promise<CommandResult>,
  text: string,
  undo: (() => void) | null,
): Promise<void> {
  const result = await sent.catch((error: unknown): CommandResult => ({ ok: false, message: String(error) }));
  if (!result.ok) return parts.store.setState({ problem: result.message });
  toasts += 1;
  const key = toasts;
  parts.store.setState({ problem: null, toast: { key, text, undo } });
  setTimeout(() => {
    if (parts.store.getState().toast?.key === key) parts.store.setState({ toast: null });
  }, TOAST_SHOWN_MS);
}

export function choosePolicy(parts: LiveParts, name: PolicyName): void {
  const former = parts.store.getState().view.policy;
  if (former === name) return;
  const undo = () => choosePolicy(parts, former);
  void act(parts, parts.commands.choosePolicy(name), `${policyLabel(name)} decides from now on.`, undo);
}

export function setQueuePaused(parts: LiveParts, paused: boolean): void {
  const { commands } = parts;
  const text = paused ? "The queue is paused: what runs goes on, nobody new starts." : "The queue goes on.";
  const undo = () => setQueuePaused(parts, !paused);
  void act(parts, paused ? commands.pauseQueue() : commands.resumeQueue(), text, undo);
}

export function moveUp(parts: LiveParts, requestId: RequestId, label: string): void {
  const undo = () => undoMoveUp(parts, requestId, label);
  void act(parts, parts.commands.moveUp(requestId), `${label} goes to the front of the queue.`, undo);
}

export function undoMoveUp(parts: LiveParts, requestId: RequestId, label: string): void {
  void act(parts, parts.commands.undoMoveUp(requestId), `${label} has the policy's place again.`, null);
}

export function pinPrefix(parts: LiveParts, agent: AgentId): void {
  const undo = () => unpinPrefix(parts, agent);
  void act(parts, parts.commands.pinPrefix(agent), `The prefix of ${agent} stays in the KV cache.`, undo);
}

export function unpinPrefix(parts: LiveParts, agent: AgentId): void {
  const undo = () => pinPrefix(parts, agent);
  void act(parts, parts.commands.unpinPrefix(agent), `The prefix of ${agent} may go again.`, undo);
}

/** Cannot be undone: its client has been told. */
export function cancelRequest(parts: LiveParts, requestId: RequestId, label: string): void {
  void act(parts, parts.commands.cancelRequest(requestId), `${label} is cancelled; its client has been told.`, null);
}
