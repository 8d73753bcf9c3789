/** Places of nodes and courses of edges on whole pixels, by dagre, from left to right. Depends on the shape only, never on states. */
import { Graph, layout } from "@dagrejs/dagre";
import type { StageId } from "../../../core/contract/ids";
import { type GraphEdge, type GraphNode, graphEdges } from "./graph-shape";

export interface PlacedNode extends GraphNode {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge extends GraphEdge {
  /** An SVG path. */
  readonly path: string;
}

export interface GraphPlan {
  readonly width: number;
  readonly height: number;
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const NODE_WIDTH_MIN = 118;
const NODE_WIDTH_MAX = 280;

export interface GraphSpace {
  readonly width: number;
  readonly nodeHeight: number;
  readonly rowGap: number;
}

export function planGraph(nodes: readonly GraphNode[], space: GraphSpace): GraphPlan {
  const columns = columnCount(nodes);
  const columnGap = columns > 4 || space.width < 520 ? 24 : 32;
  const fitting = Math.floor((space.width - (columns - 1) * columnGap) / columns);
  const nodeWidth = Math.min(NODE_WIDTH_MAX, Math.max(NODE_WIDTH_MIN, fitting));
  const { nodeHeight } = space;

  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: space.rowGap, ranksep: columnGap });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.stageId, { width: nodeWidth, height: nodeHeight });
  const edges = graphEdges(nodes);
  for (const edge of edges) graph.setEdge(edge.from, edge.to);
  layout(graph);

  const centre = (stageId: StageId): Point => {
    const { x, y } = graph.node(stageId) as Point;
    return { x, y };
  };
  keepDeclaredOrder(graph, nodes, edges);
  const placed = nodes.map((node) => {
    const { x, y } = centre(node.stageId);
    return { ...node, x: Math.round(x - nodeWidth / 2), y: Math.round(y - nodeHeight / 2) };
  });
  const extent = (values: readonly number[]) => Math.max(0, ...values);
  return {
    width: extent(placed.map((node) => node.x + nodeWidth)),
    height: extent(placed.map((node) => node.y + nodeHeight)),
    nodeWidth,
    nodeHeight,
    nodes: placed,
    edges: edges.map((edge) => {
      const from = centre(edge.from);
      const to = centre(edge.to);
      const bends = to.x - from.x > nodeWidth * 1.5 + columnGap ? bendsOf(graph, edge) : [];
      return { ...edge, path: course([right(from, nodeWidth), ...bends, left(to, nodeWidth)]) };
    }),
  };
}

interface Point {
  readonly x: number;
  y: number;
}

const right = (node: Point, width: number): Point => ({ x: Math.round(node.x + width / 2), y: Math.round(node.y) });
const left = (node: Point, width: number): Point => ({ x: Math.round(node.x - width / 2), y: Math.round(node.y) });

/** Nodes with the same parents and children may change places freely: they stand as they were declared. */
function keepDeclaredOrder(graph: Graph, nodes: readonly GraphNode[], edges: readonly GraphEdge[]): void {
  const alike = new Map<string, Point[]>();
  for (const node of nodes) {
    const children = edges.filter((edge) => edge.from === node.stageId).map((edge) => edge.to);
    const key = JSON.stringify([[...node.after].sort(), children.sort()]);
    alike.set(key, [...(alike.get(key) ?? []), graph.node(node.stageId) as Point]);
  }
  for (const points of alike.values()) {
    const ys = points.map((point) => point.y).sort((a, b) => a - b);
    points.forEach((point, index) => {
      point.y = ys[index] ?? point.y;
    });
  }
}

/** Only edges that pass a column need to go round its nodes. */
function bendsOf(graph: Graph, edge: GraphEdge): readonly Point[] {
  const points = (graph.edge(edge.from, edge.to) as { points?: readonly Point[] }).points ?? [];
  return points.slice(1, -1);
}

function course(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first.x} ${first.y}`;
  let from = first;
  for (const to of rest) {
    const middle = Math.round((from.x + to.x) / 2);
    path += `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    from = to;
  }
  return path;
}

/** Length of the longest chain. */
function columnCount(nodes: readonly GraphNode[]): number {
  const byId = new Map(nodes.map((node) => [node.stageId, node]));
  const depths = new Map<StageId, number>();
  const depth = (stageId: StageId): number => {
    const known = depths.get(stageId);
    if (known !== undefined) return known;
    // A loop in the declaration must not hang the window.
    depths.set(stageId, 0);
    const after = byId.get(stageId)?.after.filter((parent) => byId.has(parent)) ?? [];
    const own = 1 + Math.max(0, ...after.map(depth));
    depths.set(stageId, own);
    return own;
  };
  return Math.max(1, ...nodes.map((node) => depth(node.stageId)));
}
