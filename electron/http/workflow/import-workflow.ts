/** `POST /v1/workflows/import`: a graph that people already have, as a declaration in the words of `PUT /v1/workflows/{id}`. */
import { z } from "zod";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import { absent } from "../zod-absent";
import { stagesOfGraph } from "./import-graph";
import { importCharactersMax, stagesOfTasks } from "./import-tasks";
import { type Declaration, readWorkflow } from "./workflow-body";

export const importSchema = z.object({
  id: z.string().min(1, "name the workflow"),
  workflow: absent(z.string()),
  format: absent(z.enum(["crewai", "langgraph"])),
  /** CrewAI's tasks.yaml as text, LangGraph's graph as JSON or as its text. */
  source: z.union([
    z.string().max(importCharactersMax, "at most 1 MiB is possible"),
    z.record(z.string(), z.unknown()),
  ]),
});

export function importWorkflow(body: unknown): Declaration {
  const read = importSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const {
    id,
    workflow,
    source,
    format = typeof source === "string" && !isJson(source) ? "crewai" : "langgraph",
  } = read.data;
  if (format === "langgraph") return readWorkflow(id, { workflow, stages: stagesOfGraph(graphOf(source), "source") });
  if (typeof source === "string") return readWorkflow(id, { workflow, stages: stagesOfTasks(source, "source") });
  throw new ApiError("invalid_value", "Wrong value for 'source': CrewAI's tasks.yaml is wanted as text.", {
    param: "source",
  });
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

function graphOf(source: string | object): unknown {
  if (typeof source !== "string") return source;
  try {
    return JSON.parse(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("invalid_value", `The graph is not valid JSON: ${reason}.`, { param: "source" });
  }
}
