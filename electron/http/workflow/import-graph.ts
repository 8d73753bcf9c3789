/**
 * A LangGraph graph as JSON (`(await graph.getGraphAsync()).toJSON()`) as stages. Start, end and tool nodes ask no model, so the edges
 * go through them; an edge that goes back is a loop, because stages must not wait for each other in a circle.
 */
import { z } from "zod";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import { nameLengthMax } from "../identity/identity";

const nodeId = z.string().min(1).max(nameLengthMax);

const schema = z.object({
  nodes: z
    .array(z.object({ id: nodeId, data: z.unknown().optional() }))
    .min(1, "at least one node is needed")
    .max(1024, "at most 1024 nodes are possible"),
  edges: z
    .array(z.object({ source: nodeId, target: nodeId, conditional: z.boolean().nullish() }))
    .max(8192, "at most 8192 edges are possible"),
});

type Graph = z.output<typeof schema>;

export interface ImportedStage {
  readonly id: string;
  readonly agent: string;
  readonly after: readonly string[];
  readonly loop?: boolean;
}

/** `param`: where the graph stands in the body. */
export function stagesOfGraph(graph: unknown, param: string): ImportedStage[] {
  const read = schema.safeParse(graph);
  if (!read.success) throw within(param, fieldError(read.error.issues, graph));
  const { nodes, edges } = read.data;
  const ids = new Set(nodes.map(({ id }) => id));
  for (const [index, edge] of edges.entries()) {
    for (const end of ["source", "target"] as const) {
      if (ids.has(edge[end])) continue;
      const message = `The edge names '${edge[end]}', but there is no such node.`;
      throw new ApiError("invalid_value", message, { param: `${param}.edges.${index}.${end}` });
    }
  }
  return stages(read.data);
}

function stages({ nodes, edges }: Graph): ImportedStage[] {
  const silent = new Set(nodes.filter(asksNoModel).map(({ id }) => id));
  const targets = new Map(nodes.map(({ id }) => [id, [] as string[]]));
  for (const { source, target } of edges) targets.get(source)?.push(target);
  const back = backEdges([...targets.keys()], targets);
  const asking = nodes.filter(({ id }) => !silent.has(id));
  const loops = new Set([...back].flatMap((edge) => loopStart(edge, silent, targets)));
  return asking.map(({ id }) => ({
    id,
    agent: id,
    after: asking.filter((other) => other.id !== id && reaches(other.id, id)).map((other) => other.id),
    ...(loops.has(id) && { loop: true }),
  }));

  /** Over silent nodes only, and never backwards. */
  function reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const next of targets.get(node) ?? []) {
        if (back.has(edgeKey(node, next))) continue;
        if (next === to) return true;
        if (silent.has(next) && !seen.has(next)) open.push(next);
        seen.add(next);
      }
    }
    return false;
  }
}

function asksNoModel({ id, data }: Graph["nodes"][number]): boolean {
  if (id === "__start__" || id === "__end__") return true;
  const type = typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
  return id === "tools" || (Array.isArray(type) && type.at(-1) === "ToolNode");
}

/** Depth first from each node in its order; an edge to a node whose visit has not ended closes a circle. */
function backEdges(nodes: readonly string[], targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const back = new Set<string>();
  const visits = new Map<string, "open" | "ended">();
  for (const start of nodes) {
    if (visits.has(start)) continue;
    const path = [{ node: start, next: 0 }];
    visits.set(start, "open");
    for (let place = path.at(-1); place !== undefined; place = path.at(-1)) {
      const target = targets.get(place.node)?.[place.next];
      place.next += 1;
      if (target === undefined) {
        visits.set(place.node, "ended");
        path.pop();
      } else if (visits.get(target) === "open") back.add(edgeKey(place.node, target));
      else if (!visits.has(target)) {
        visits.set(target, "open");
        path.push({ node: target, next: 0 });
      }
    }
  }
  return back;
}

/** The stage that a loop begins with again. */
function loopStart(edge: string, silent: ReadonlySet<string>, targets: ReadonlyMap<string, readonly string[]>) {
  const [, target = ""] = JSON.parse(edge) as string[];
  return silent.has(target) ? (targets.get(target) ?? []).filter((next) => !silent.has(next)) : [target];
}

function edgeKey(source: string, target: string): string {
  return JSON.stringify([source, target]);
}

export function within(param: string, error: ApiError): ApiError {
  const inner = error.details.param;
  const place = inner === undefined ? param : `${param}.${inner}`;
  const message = inner === undefined ? error.message : error.message.replace(`'${inner}'`, `'${place}'`);
  return new ApiError(error.code, message, { ...error.details, param: place });
}
