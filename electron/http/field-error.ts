/** Says in plain words which field of a body is wrong, from the first thing zod complains about. */
import type { z } from "zod";
import { ApiError } from "./api-error";

type Issue = z.core.$ZodIssue;

export function fieldError(issues: readonly Issue[], body: unknown): ApiError {
  if (body === undefined) return new ApiError("invalid_json", "The body is empty. Send a JSON object.");
  const first = issues[0];
  if (!first) return new ApiError("invalid_value", "The body is not as it should be.");
  const issue = deepest(first, []);
  const param = issue.path.join(".");
  if (param === "") return new ApiError("invalid_value", "The body must be a JSON object.");
  if ((valueAt(body, issue.path) ?? undefined) === undefined) {
    return new ApiError("missing_required_parameter", `Missing required parameter: '${param}'.`, { param });
  }
  const reason = issue.message.replace(/^(Invalid input|Too big|Too small|Invalid option): /, "").replace(/\.$/, "");
  return new ApiError("invalid_value", `Wrong value for '${param}': ${reason}.`, { param });
}

interface PlacedIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a union's branches the one that got furthest is what the client meant. */
function deepest(issue: Issue, parents: readonly PropertyKey[]): PlacedIssue {
  const path = [...parents, ...issue.path];
  if (issue.code !== "invalid_union") return { path, message: issue.message };
  const inner = issue.errors.flatMap((branch) => branch.slice(0, 1)).map((found) => deepest(found, path));
  const furthest = inner.reduce<PlacedIssue | null>((best, found) => {
    return found.path.length > (best?.path.length ?? path.length) ? found : best;
  }, null);
  if (furthest) return furthest;
  // A branch of the right kind with another fault says more than that the other branches are of another kind.
  const ofRightKind = inner.find((found) => !/expected (\S+?),/.test(found.message));
  if (ofRightKind) return ofRightKind;
  const expected = inner
    .map((found) => /expected (\S+?),/.exec(found.message)?.[1])
    .filter((kind) => kind !== undefined);
  return { path, message: expected.length > 0 ? `expected ${[...new Set(expected)].join(" or ")}` : issue.message };
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
