/** What the user does to the queue: pause it, move a request up, pin a prefix. What cannot be done is answered with the reason. */
import type { AgentId, RequestId } from "../contract/ids";
import type { DecisionTrigger } from "./decision";
import type { Act } from "./events";
import { pinsMax } from "./pins";
import type { Turn } from "./turn";

/** Pinned agents are looked up in every decision. */
const agentNameMax = 256;

export function takePause(turn: Turn): DecisionTrigger | null {
  if (turn.state.isPaused) return refuse(turn, "pause", null, "The queue is paused already.");
  turn.emit({ kind: "queue.paused" });
  return "user";
}

export function takeResume(turn: Turn): DecisionTrigger | null {
  if (!turn.state.isPaused) return refuse(turn, "resume", null, "The queue is not paused.");
  turn.emit({ kind: "queue.resumed" });
  return "user";
}

/** Whoever was moved up last stands in front. */
export function takeMoveUp(turn: Turn, requestId: RequestId): DecisionTrigger | null {
  const request = turn.state.requests.get(requestId);
  if (request === undefined) return refuse(turn, "move_up", requestId, notHere(requestId));
  if (request.slot !== null) return refuse(turn, "move_up", requestId, `Request ${requestId} runs already.`);
  turn.emit({ kind: "request.moved_up", requestId, rank: turn.state.movesUp + 1 });
  return "user";
}

export function takeMoveUndo(turn: Turn, requestId: RequestId): DecisionTrigger | null {
  const request = turn.state.requests.get(requestId);
  if (request === undefined) return refuse(turn, "undo_move_up", requestId, notHere(requestId));
  if (request.movedUp === null)
    return refuse(turn, "undo_move_up", requestId, `Request ${requestId} was not moved up.`);
  turn.emit({ kind: "request.move_undone", requestId });
  return "user";
}

export function takePin(turn: Turn, agent: AgentId): DecisionTrigger | null {
  const { state } = turn;
  if (state.pinned.has(agent)) return refuse(turn, "pin", agent, `The prefix of ${agent} is pinned already.`);
  if (agent === "" || agent.length > agentNameMax) return refuse(turn, "pin", agent, "There can be no such agent.");
  const most = pinsMax(state);
  if (state.pinned.size >= most)
    return refuse(turn, "pin", agent, tooManyPins(most, state.engine.budgetTokens === null));
  turn.emit({ kind: "prefix.pinned", agent });
  return null;
}

/** What was kept may be given away now. */
export function takeUnpin(turn: Turn, agent: AgentId): DecisionTrigger | null {
  if (!turn.state.pinned.has(agent)) return refuse(turn, "unpin", agent, `The prefix of ${agent} is not pinned.`);
  turn.emit({ kind: "prefix.unpinned", agent, reason: "Unpinned by the user." });
  return "user";
}

/** Another engine may have fewer slots: who was pinned last goes first. */
export function dropPinsBeyondBound(turn: Turn): void {
  const most = pinsMax(turn.state);
  for (const agent of [...turn.state.pinned].slice(most)) {
    turn.emit({ kind: "prefix.unpinned", agent, reason: `The engine that is loaded now has room for ${most} pins.` });
  }
}

function tooManyPins(most: number, inSlots: boolean): string {
  const why = inSlots ? ", for one slot has to stay free for everybody else" : "";
  const help = most === 0 ? "" : " Unpin another first.";
  return `The most that can be pinned at once is ${most}${why}.${help}`;
}

function notHere(requestId: RequestId): string {
  return `There is no request ${requestId} that waits.`;
}

function refuse(turn: Turn, act: Act, target: string | null, message: string): null {
  turn.emit({ kind: "act.refused", act, target, message });
  return null;
}
