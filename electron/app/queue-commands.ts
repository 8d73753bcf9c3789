/** The window's commands on the queue: each is one act of the user, and what cannot be done is said in a sentence. */
import type { CommandResult } from "../../core/contract/window";
import type { WindowCommands } from "../ipc/window-app";
import type { Live, UserAct } from "../live/live";

type QueueCommand = "pauseQueue" | "resumeQueue" | "moveUp" | "undoMoveUp" | "pinPrefix" | "unpinPrefix";

export function queueCommands(live: Live): Pick<WindowCommands, QueueCommand> {
  const act = async (what: UserAct): Promise<CommandResult> => {
    const message = live.act(what);
    return message === null ? { ok: true } : { ok: false, message };
  };
  return {
    pauseQueue: () => act({ kind: "queue.paused" }),
    resumeQueue: () => act({ kind: "queue.resumed" }),
    moveUp: (requestId) => act({ kind: "request.moved_up", requestId }),
    undoMoveUp: (requestId) => act({ kind: "request.move_undone", requestId }),
    pinPrefix: (agent) => act({ kind: "prefix.pinned", agent }),
    unpinPrefix: (agent) => act({ kind: "prefix.unpinned", agent }),
  };
}
