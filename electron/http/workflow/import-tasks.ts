/**
 * CrewAI's `tasks.yaml` as stages. `context` names the tasks whose answers a task gets; without it a task of a sequential crew gets
 * those of all before it, so it comes after the last one that was not asynchronous and after the asynchronous ones since.
 */
import { parseDocument } from "yaml";
import { z } from "zod";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import { nameLengthMax } from "../identity/identity";
import { type ImportedStage, within } from "./import-graph";

const name = z.string().min(1, "it must not be empty").max(nameLengthMax, `at most ${nameLengthMax} characters`);

const taskSchema = z.object({
  agent: name.nullish(),
  context: z.array(name).nullish(),
  async_execution: z.boolean().nullish(),
});

const schema = z.record(name, taskSchema);

export const importCharactersMax = 1024 * 1024;

/** `param`: where the YAML text stands in the body. */
export function stagesOfTasks(text: string, param: string): ImportedStage[] {
  const tasks = readTasks(text, param);
  const known = new Set(Object.keys(tasks));
  const stages: ImportedStage[] = [];
  let lastSync: string[] = [];
  let asyncSince: string[] = [];
  for (const [id, { agent, context, async_execution }] of Object.entries(tasks)) {
    for (const [index, before] of (context ?? []).entries()) {
      if (known.has(before)) continue;
      const message = `Task '${id}' has '${before}' in its context, but there is no such task.`;
      throw new ApiError("invalid_value", message, { param: `${param}.${id}.context.${index}` });
    }
    const isAsync = async_execution === true;
    const after = context ?? (isAsync || asyncSince.length === 0 ? lastSync : asyncSince);
    stages.push({ id, agent: agent ?? id, after });
    if (isAsync) asyncSince = [...asyncSince, id];
    else [lastSync, asyncSince] = [[id], []];
  }
  return stages;
}

function readTasks(text: string, param: string): z.output<typeof schema> {
  const document = parseDocument(text, { prettyErrors: true });
  const problem = document.errors[0];
  if (problem) {
    const message = `The YAML cannot be read: ${problem.message.split("\n", 1)[0]?.replace(/:$/, "")}.`;
    throw new ApiError("invalid_value", message, { param });
  }
  const tasks: unknown = tasksOf(document, param);
  if (typeof tasks !== "object" || tasks === null || Array.isArray(tasks) || Object.keys(tasks).length === 0) {
    const message = "The YAML must map the name of each task to its agent and context, as CrewAI's tasks.yaml does.";
    throw new ApiError("invalid_value", message, { param });
  }
  const read = schema.safeParse(tasks);
  if (!read.success) throw within(param, fieldError(read.error.issues, tasks));
  return read.data;
}

/** A few lines of aliases of aliases can stand for billions of values: the library refuses them. */
function tasksOf(document: ReturnType<typeof parseDocument>, param: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("invalid_value", `The YAML cannot be read: ${reason}.`, { param });
  }
}
