/** Reads the body of a completion: text or tokens that the model goes on writing, without a chat template. */
import { z } from "zod";
import type { SamplingOptions } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import { type GivenPrompt, givenPrompts, promptField } from "../prompt-fields";
import { samplingFields, samplingOptions, stopTexts } from "../sampling-fields";
import { absent } from "../zod-absent";

/** OpenAI's own default. */
const tokensByDefault = 16;
const answersMax = 512;

export const completionSchema = z.object({
  model: z.string().min(1, "name the model, or say 'default' for the loaded one"),
  prompt: promptField,
  suffix: absent(z.string()),
  echo: absent(z.boolean()),
  best_of: absent(z.int().min(1).max(128)),
  logprobs: absent(z.int().min(0).max(5, "at most 5 are possible")),
  metadata: absent(z.record(z.string(), z.unknown())),
  ...samplingFields,
});

export interface CompletionBody {
  readonly model: string;
  readonly prompts: readonly GivenPrompt[];
  readonly choices: number;
  readonly echo: boolean;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxTokens: number;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
  readonly user: string | undefined;
  readonly sessionId: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function readCompletionBody(body: unknown): CompletionBody {
  const read = completionSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const fields = read.data;
  const prompts = givenPrompts(fields.prompt, "prompt", answersMax);
  const choices = fields.n ?? 1;
  refuseImpossible(fields, prompts.length * choices);
  return {
    ...{ model: fields.model, prompts, choices, user: fields.user, sessionId: fields.session_id },
    echo: fields.echo ?? false,
    stream: fields.stream ?? false,
    includeUsage: fields.stream_options?.include_usage ?? false,
    maxTokens: fields.max_tokens ?? tokensByDefault,
    sampling: samplingOptions(fields, fields.logprobs),
    stop: stopTexts(fields),
    metadata: fields.metadata ?? {},
  };
}

function refuseImpossible(
  { suffix, best_of, n = 1, echo, logprobs }: z.output<typeof completionSchema>,
  answers: number,
) {
  const refuse = (param: string, message: string): never => {
    throw new ApiError("unsupported_parameter", message, { param });
  };
  if (suffix) refuse("suffix", "'suffix' is not supported: this server does not fill text in before another.");
  if (best_of !== undefined && best_of !== n)
    refuse("best_of", "'best_of' has to be the same as 'n': all that is made is given.");
  if (echo && logprobs !== undefined)
    refuse("echo", "'echo' and 'logprobs' together are not supported: the prompt's own are not known.");
  if (answers > answersMax)
    refuse("prompt", `${answers} answers are asked for; at most ${answersMax} are possible at once.`);
}
