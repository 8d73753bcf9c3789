import { describe, expect, test } from "vitest";
import { dueMs, foreseeLanes, foreseenEndMs, foreseenStartMs, workLeftMs } from "../../core/view/foresee";
import type { LiveView, RequestView, TaskView } from "../../core/view/view";
import { foreseenBoxes, timeScale } from "../../renderer/panels/lanes/lanes-layout";
import { busyView } from "./made-up/busy-view";
import { NOW_MS } from "./made-up/parts";

/** Three seconds for each worker, two for the writer; both workers were admitted a second ago. */
const view: LiveView = {
  ...busyView,
  stageMs: {
    "research/plan": { count: 2, meanMs: 2_000 },
    "research/look-left": { count: 2, meanMs: 3_000 },
    "research/look-right": { count: 2, meanMs: 1_500 },
    "research/write": { count: 1, meanMs: 2_000 },
  },
  requests: Object.fromEntries(
    Object.entries(busyView.requests).map(([id, one]) => [
      id,
      one.slot === null ? one : { ...one, admittedAtMs: NOW_MS - 1_000 },
    ]),
  ),
  tasks: busyView.tasks.map((task) => ({
    ...task,
    stages: task.stages.map((one) => (one.phase === "running" ? { ...one, startedAtMs: NOW_MS - 1_000 } : one)),
  })),
};
const research = view.tasks[0] as TaskView;
const request = (id: string) => view.requests[id] as RequestView;

describe("what is to be expected", () => {
  test("a request ends as its stage did before; of one that takes longer it cannot be said", () => {
    expect(foreseenEndMs(view, request("worker#3"), NOW_MS)).toBe(NOW_MS + 2_000);
    expect(foreseenEndMs(view, request("worker#4"), NOW_MS + 5_000)).toBeNull();
    expect(foreseenEndMs(view, request("chat#9"), NOW_MS)).toBeNull();
  });

  test("the work left is that of the longest chain; a stage never seen to end foretells nothing", () => {
    expect(workLeftMs(view, research, NOW_MS)).toBe(2_000 + 2_000);
    expect(workLeftMs({ ...view, stageMs: {} }, research, NOW_MS)).toBeNull();
  });

  test("the next stage is due when the last of its parents ends", () => {
    const write = research.stages.find(({ stageId }) => stageId === "write");
    expect(write && dueMs(view, research, write, NOW_MS)).toBe(NOW_MS + 2_000);
  });

  test("the lanes show who comes next into which slot, and the kept one until it is needed", () => {
    const spans = foreseeLanes(view, NOW_MS);
    expect(spans).toContainEqual(
      expect.objectContaining({ slot: 2, kind: "starts", label: "coder#2", fromMs: NOW_MS + 500 }),
    );
    expect(spans).toContainEqual(
      expect.objectContaining({ slot: 1, kind: "starts", label: "planner#3", fromMs: NOW_MS + 2_000 }),
    );
    expect(spans).toContainEqual(expect.objectContaining({ slot: 3, kind: "kept", toMs: NOW_MS + 2_000 }));
    expect(foreseenStartMs(view, "coder#2", NOW_MS)).toBe(NOW_MS + 500);
    expect(foreseenStartMs(view, "tester#2", NOW_MS)).toBeNull();
    expect(foreseeLanes({ ...view, engine: { ...view.engine, phase: "down" } }, NOW_MS)).toEqual([]);
  });

  test("all of it is drawn right of now and ends with the lanes", () => {
    const scale = timeScale(900, NOW_MS, 8_000);
    const boxes = foreseenBoxes(foreseeLanes(view, NOW_MS), scale);
    expect(boxes.length).toBeGreaterThan(3);
    for (const { x, width } of boxes) {
      expect(x).toBeGreaterThanOrEqual(scale.right);
      expect(x + width).toBeLessThanOrEqual(scale.end);
    }
  });
});
