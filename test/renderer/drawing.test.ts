import { describe, expect, test } from "vitest";
import type { StageView } from "../../core/view/view";
import { agentColours, agentLetters } from "../../renderer/drawing/agent-tag";
import { BLOCKS, blockKind, layoutBlocks } from "../../renderer/drawing/block-layout";
import { planGraph } from "../../renderer/panels/graph/graph-layout";
import { criticalEdges, graphEdges, graphNodes, phaseCounts } from "../../renderer/panels/graph/graph-shape";
import { collapseQueue, ROWS_MAX } from "../../renderer/panels/queue/collapse-queue";
import { busyView } from "./made-up/busy-view";

describe("token blocks", () => {
  const held = (prefixTokens: number, heldTokens: number, toPrefillTokens = 0) =>
    layoutBlocks({ prefixTokens, heldTokens, toPrefillTokens }, 2_048);

  test("prefix, tail and what is to prefill follow each other in whole blocks", () => {
    expect(held(256, 896, 128)).toEqual({ prefixEnd: 4, heldEnd: 14, pendingEnd: 16 });
    const kinds = Array.from({ length: BLOCKS }, (_, index) => blockKind(held(256, 896, 128), index, "running"));
    expect(kinds.slice(0, 4)).toEqual(["prefix", "prefix", "prefix", "prefix"]);
    expect(kinds.slice(13)).toEqual(["tail", "pending", "pending", ...new Array(16).fill("free")]);
  });

  test("one held token is seen, and a full slot never passes its end", () => {
    expect(held(0, 1)).toEqual({ prefixEnd: 0, heldEnd: 1, pendingEnd: 1 });
    expect(held(2_048, 2_048, 500)).toEqual({ prefixEnd: 32, heldEnd: 32, pendingEnd: 32 });
  });

  test("while a prefix is being prefilled only what is held is drawn as held", () => {
    expect(held(768, 128, 900)).toEqual({ prefixEnd: 2, heldEnd: 2, pendingEnd: 17 });
  });

  test("a private tail keeps at least a block of prefix before it", () => {
    expect(held(10, 200)).toEqual({ prefixEnd: 1, heldEnd: 4, pendingEnd: 4 });
  });

  test("an unknown slot size draws an empty bar", () => {
    expect(layoutBlocks({ prefixTokens: 10, heldTokens: 20, toPrefillTokens: 0 }, 0).heldEnd).toBe(0);
  });

  test("an idle slot is hatched and a lost one is an outline", () => {
    expect(blockKind(held(256, 896), 0, "warm")).toBe("warm-prefix");
    expect(blockKind(held(256, 896), 13, "warm")).toBe("warm-tail");
    expect(blockKind(held(256, 896), 0, "lost")).toBe("lost-prefix");
    expect(blockKind(held(256, 896, 128), 15, "lost")).toBe("free");
  });
});

describe("agents", () => {
  test("the first eight have a hue each, later ones and unknown ones have none", () => {
    expect(agentColours(0)).toEqual({ "--a": "var(--agent-1)", "--o": "var(--on-1)" });
    expect(agentColours(7)).toEqual({ "--a": "var(--agent-8)", "--o": "var(--on-8)" });
    expect(agentColours(8)).toEqual({ "--a": "var(--outline)", "--o": "var(--on-later)" });
    expect(agentColours(-1)).toEqual(agentColours(8));
  });

  test("the tag has the first two letters or digits of the name", () => {
    expect(agentLetters("worker")).toBe("Wo");
    expect(agentLetters("_a-1")).toBe("A1");
  });
});

describe("the graph", () => {
  const stage = (stageId: string, after: readonly string[], agent = stageId): StageView => ({
    stageId,
    agent,
    after,
    phase: "not_ready",
    requestId: null,
    label: agent,
    startedAtMs: null,
    finishedAtMs: null,
    onCriticalPath: false,
  });
  const crew = [
    stage("plan", []),
    stage("left", ["plan"]),
    stage("right", ["plan"]),
    stage("write", ["left", "right"]),
  ];
  const space = { width: 600, nodeHeight: 46, rowGap: 8 };

  test("nodes stand in columns from left to right, in the declared order, on whole pixels, within the width", () => {
    const plan = planGraph(graphNodes(crew), space);
    const at = Object.fromEntries(plan.nodes.map((node) => [node.stageId, node]));
    expect(at.plan?.x).toBe(0);
    expect(at.left?.x).toBe(at.right?.x);
    expect(at.left?.y).toBeLessThan(at.right?.y ?? 0);
    expect(at.write?.x).toBeGreaterThan(at.left?.x ?? 0);
    expect(plan.width).toBeLessThanOrEqual(600);
    for (const node of plan.nodes) expect([node.x, node.y].every(Number.isInteger)).toBe(true);
    expect(plan.edges).toHaveLength(4);
  });

  test("more than eight equal stages become one node that keeps its edges", () => {
    const workers = Array.from({ length: 9 }, (_, index) => stage(`w${index}`, ["plan"], "worker"));
    const last = stage(
      "write",
      workers.map((worker) => worker.stageId),
    );
    const nodes = graphNodes([stage("plan", []), ...workers, last]);
    expect(nodes.map((node) => node.members.length)).toEqual([1, 9, 1]);
    expect(graphEdges(nodes)).toEqual([
      { from: "plan", to: "w0" },
      { from: "w0", to: "write" },
    ]);
    expect(graphNodes([stage("plan", []), ...workers.slice(0, 8)])).toHaveLength(9);
  });

  test("only edges along the critical path are bold, also where a shortcut joins two of its nodes", () => {
    const nodes = graphNodes([stage("a", []), stage("b", ["a"]), stage("c", ["a", "b"])]);
    const edges = graphEdges(nodes);
    const column = (id: string) => ["a", "b", "c"].indexOf(id);
    const bold = criticalEdges(edges, new Set(["a", "b", "c"]), column);
    expect([...bold]).toEqual([
      { from: "a", to: "b" },
      { from: "b", to: "c" },
    ]);
  });

  test("a declaration that goes round in a circle is drawn and does not hang", () => {
    const plan = planGraph(graphNodes([stage("a", ["b"]), stage("b", ["a"])]), space);
    expect(plan.nodes).toHaveLength(2);
  });

  test("states of a group are counted", () => {
    expect(phaseCounts(["done", "running", "done", "not_ready"])).toBe("2 done, 1 running, 1 not ready");
  });
});

describe("a long queue", () => {
  const row = busyView.queue[1];
  if (!row) throw new Error("The busy moment has no second row.");

  test("up to twenty rows are all shown", () => {
    expect(collapseQueue(new Array(ROWS_MAX).fill(row))).toMatchObject({ rest: null });
  });

  test("the rest is counted by reason", () => {
    const held = { ...row, code: "HELD_FOR_PREFIX" as const };
    const { shown, rest } = collapseQueue([...new Array(ROWS_MAX + 100).fill(row), held]);
    expect(shown).toHaveLength(ROWS_MAX);
    expect(rest).toBe("… and 101 more: 100 for a free slot, 1 for a slot that keeps a prefix warm.");
  });
});
