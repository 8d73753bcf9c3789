/** Runs the demo's crews the way clients do: through the official OpenAI client, over HTTP, knowing nothing of the server. */
import OpenAI from "openai";
import { seededRandom } from "../../core/sim/random";
import { charters } from "./charters";
import { type Crew, type CrewStage, crews } from "./crew";

export interface CrewOptions {
  /** Ends in /v1. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly tasksOfEach: number;
  readonly seed: number;
  /** Told apart by this from tasks of earlier runs on the same server. */
  readonly runName: string;
  readonly signal?: AbortSignal;
  onProgress?(progress: CrewProgress): void;
}

export type CrewProgress =
  | {
      readonly kind: "stage";
      readonly task: string;
      readonly agent: string;
      readonly seconds: number;
      readonly words: number;
    }
  | { readonly kind: "task"; readonly task: TaskResult; readonly done: number; readonly total: number };

export interface TaskResult {
  readonly task: string;
  readonly workflow: string;
  /** Milliseconds after the start of the run. */
  readonly arrivedAtMs: number;
  /** From the arrival to the last answer. */
  readonly jctMs: number;
  readonly failedRequests: number;
}

/** Mean time between two tasks of one crew. */
const meanGapMs = 3_000;
const answerTokensMax = 64;

/** Rejects only when the run is called off or the workflows cannot be declared; a failed request is counted, not thrown. */
export async function runCrew(options: CrewOptions): Promise<readonly TaskResult[]> {
  const client = new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.apiKey ?? "none",
    maxRetries: 0,
    timeout: 600_000,
  });
  await Promise.all(crews.map((crew) => declare(client, crew)));
  const startedAtMs = performance.now();
  const total = crews.length * options.tasksOfEach;
  let done = 0;
  const tasks = arrivals(options).map(async ({ crew, number, atMs }) => {
    await pause(atMs, options.signal);
    const result = await runTask(client, options, crew, number, startedAtMs);
    done += 1;
    options.onProgress?.({ kind: "task", task: result, done, total });
    return result;
  });
  return Promise.all(tasks);
}

async function declare(client: OpenAI, { workflowId, name, stages }: Crew): Promise<void> {
  const body = { workflow: name, stages: stages.map(({ id, agent, after }) => ({ id, agent, after })) };
  await client.put(`/workflows/${workflowId}`, { body });
}

/** The same seed gives the same arrivals, whatever the server does. */
function arrivals({ seed, tasksOfEach }: CrewOptions) {
  const random = seededRandom(seed);
  return crews.flatMap((crew) => {
    let atMs = 0;
    return Array.from({ length: tasksOfEach }, (_, index) => {
      atMs += index === 0 ? random.between(0, 500) : random.exponential(meanGapMs);
      return { crew, number: index + 1, atMs };
    });
  });
}

async function runTask(
  client: OpenAI,
  options: CrewOptions,
  crew: Crew,
  number: number,
  startedAtMs: number,
): Promise<TaskResult> {
  const task = `${crew.name} ${number}`;
  const wish = crew.wishes[(number - 1 + options.seed) % crew.wishes.length] ?? "";
  const answers = new Map<string, Promise<string>>();
  const arrivedAtMs = performance.now() - startedAtMs;
  let failedRequests = 0;
  for (const stage of crew.stages) {
    const before = stage.after.map(async (id) => [id, (await answers.get(id)) ?? ""] as const);
    const answer = Promise.all(before).then((known) =>
      ask(client, options, { crew, stage, number, wish, answers: new Map(known) }),
    );
    answers.set(
      stage.id,
      answer.catch((error: unknown) => {
        if (options.signal?.aborted) throw error;
        failedRequests += 1;
        return "(no answer)";
      }),
    );
  }
  await Promise.all(answers.values());
  const jctMs = performance.now() - startedAtMs - arrivedAtMs;
  return { task, workflow: crew.workflowId, arrivedAtMs, jctMs, failedRequests };
}

interface Question {
  readonly crew: Crew;
  readonly stage: CrewStage;
  readonly number: number;
  readonly wish: string;
  readonly answers: ReadonlyMap<string, string>;
}

/** One request, streamed as agent programs do. */
async function ask(
  client: OpenAI,
  options: CrewOptions,
  { crew, stage, number, wish, answers }: Question,
): Promise<string> {
  const startedAtMs = performance.now();
  const stream = await client.chat.completions.create(
    {
      model: options.model,
      stream: true,
      messages: [
        { role: "system", content: charters[stage.agent] ?? "" },
        { role: "user", content: stage.prompt(wish, answers) },
      ],
      max_tokens: answerTokensMax,
      temperature: 0.7,
      seed: options.seed + number,
      metadata: {
        "workflow.id": crew.workflowId,
        "workflow.run": `${options.runName}-${number}`,
        "workflow.stage": stage.id,
        "gen_ai.agent.name": stage.agent,
      },
    },
    { signal: options.signal ?? null },
  );
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  const seconds = (performance.now() - startedAtMs) / 1000;
  options.onProgress?.({
    kind: "stage",
    task: `${crew.name} ${number}`,
    agent: stage.agent,
    seconds,
    words: text.split(/\s+/).length,
  });
  return text;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
