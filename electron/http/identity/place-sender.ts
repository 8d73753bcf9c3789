/** Who sent a request and where it belongs, from everything the endpoint knows: what every API calls once for each request. */
import type { RequestId } from "../../../core/contract/ids";
import type { HttpContext } from "../http-context";
import { type IdentitySource, readIdentity } from "./identity";
import { type Placement, placeRequest } from "./place-request";

export function placeSender({ live, matches }: HttpContext, source: IdentitySource, requestId: RequestId): Placement {
  const { workflows } = live.view;
  const identity = readIdentity(source, [["workflow_match", matches.claims(source.messages, workflows)]]);
  return placeRequest(identity, requestId, workflows);
}
