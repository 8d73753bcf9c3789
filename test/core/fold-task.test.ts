import { describe, expect, it } from "vitest";
import { emptyView, foldEvent } from "../../core/view/fold";
import { looseStagesMax } from "../../core/view/fold-task";
import { toViewEvent } from "../../core/view/view-event";
import { HandDrivenScheduler } from "../support/scheduler";

function viewOf(scheduler: HandDrivenScheduler) {
  return scheduler.events.reduce((view, event) => foldEvent(view, toViewEvent(event)), emptyView("topas"));
}

describe("tasks without declared stages", () => {
  it("show each open request in its phase", () => {
    const scheduler = new HandDrivenScheduler({ slots: 1 });
    for (const id of ["a", "b", "c"]) scheduler.submit(id, { maxTokens: 2 });
    const phases = () => viewOf(scheduler).tasks.map((task) => [task.taskId, task.stages.map(({ phase }) => phase)]);
    expect(phases()).toEqual([
      ["a", ["running"]],
      ["b", ["waiting"]],
      ["c", ["waiting"]],
    ]);
    scheduler.stepUntil(() => scheduler.isOver("a"));
    expect(phases()).toContainEqual(["a", ["done"]]);
  });

  it("keep the newest ended calls of a long session, the last first", () => {
    const scheduler = new HandDrivenScheduler();
    const calls = looseStagesMax + 10;
    for (let call = 0; call < calls; call += 1) {
      scheduler.submit(`call-${call}`, { taskId: "session", maxTokens: 1 });
      scheduler.stepUntil(() => scheduler.isOver(`call-${call}`));
    }
    const session = viewOf(scheduler).tasks.find((task) => task.taskId === "session");
    expect(session?.stages.length).toBeLessThanOrEqual(looseStagesMax + 1);
    expect(session?.stages.slice(0, 3).map((stage) => stage.requestId)).toEqual([
      `call-${calls - 1}`,
      `call-${calls - 2}`,
      `call-${calls - 3}`,
    ]);
  });
});
