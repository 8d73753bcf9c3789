/** Who sent a request and where it belongs, from everything the endpoint knows: what every API calls once for each request. */
import type { RequestId } from "../../../core/contract/ids";
import type { HttpContext } from "../http-context";
import { type IdentitySource, readIdentity } from "./identity";
import { type Placement, placeRequest, taskNameOf } from "./place-request";

export function placeSender(context: HttpContext, source: IdentitySource, requestId: RequestId): Placement {
  const { live, matches, conversations } = context;
  const { workflows } = live.view;
  const rules = ["workflow_match", matches.claims(source.messages, workflows)] as const;
  const said = readIdentity(source, [rules]);
  // Whoever names its run or session is believed; nobody is put together against its word.
  const isNamed = taskNameOf(said) !== null;
  const identity = isNamed ? said : readIdentity(source, [rules, ...conversations.find(source.messages)]);
  const ownName = `conversation-${requestId}`;
  conversations.remember(requestId, source.messages, {
    run: taskNameOf(identity) ?? ownName,
    session: identity.session?.value ?? ownName,
    workflow: identity.workflow?.value,
  });
  return placeRequest(identity, requestId, workflows);
}
