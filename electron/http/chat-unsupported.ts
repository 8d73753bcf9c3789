/** Fields that would change the answer and are not supported yet: refused by name, never silently ignored. */
import { z } from "zod";
import { ApiError } from "./api-error";
import { absent } from "./zod-absent";

export const unsupportedFields = {
  tools: absent(z.array(z.unknown())),
  tool_choice: absent(z.unknown()),
  functions: absent(z.array(z.unknown())),
  response_format: absent(z.looseObject({ type: z.string() })),
  n: absent(z.int().min(1, "one choice is made; leave it out")),
  logprobs: absent(z.boolean()),
  top_logprobs: absent(z.int().min(0).max(20)),
  logit_bias: absent(z.record(z.string(), z.unknown())),
  modalities: absent(z.array(z.unknown())),
};

const unsupportedSchema = z.object(unsupportedFields);

export function refuseUnsupported(fields: z.output<typeof unsupportedSchema>): void {
  const toolsWanted = fields.tool_choice !== "none";
  if (toolsWanted && fields.tools && fields.tools.length > 0) {
    refuse("tools", "Tools are not supported yet. Leave 'tools' out or set 'tool_choice' to 'none'.");
  }
  if (fields.tool_choice !== undefined && fields.tool_choice !== "auto" && fields.tool_choice !== "none") {
    refuse("tool_choice", "Tools are not supported yet, so none can be required.");
  }
  if (toolsWanted && fields.functions && fields.functions.length > 0) {
    refuse("functions", "Functions are not supported yet.");
  }
  const format = fields.response_format?.type ?? "text";
  if (format !== "text")
    refuse("response_format", `The response format '${format}' is not supported yet, only 'text'.`);
  if ((fields.n ?? 1) !== 1)
    refuse("n", "More than one choice is not supported yet. Leave 'n' out or send several requests.");
  if (fields.logprobs) refuse("logprobs", "Log probabilities are not supported yet.");
  if (fields.top_logprobs) refuse("top_logprobs", "Log probabilities are not supported yet.");
  if (fields.logit_bias && Object.keys(fields.logit_bias).length > 0) {
    refuse("logit_bias", "Biased tokens are not supported yet.");
  }
  if (fields.modalities?.some((modality) => modality !== "text")) {
    refuse("modalities", "Only text can be produced.");
  }
}

function refuse(param: string, message: string): never {
  throw new ApiError("unsupported_parameter", message, { param });
}
