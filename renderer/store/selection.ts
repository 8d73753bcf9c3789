/** One selection for all panels: the key of a request, or of a stage whose request has not come yet. */
import { useCallback } from "react";
import type { RequestId, StageId, TaskId } from "../../core/contract/ids";
import { useLive, useLiveParts } from "./live-context";
import { select } from "./navigate";

export function requestKey(requestId: RequestId): string {
  return `request:${requestId}`;
}

/** Null: it is a stage whose request has not come. */
export function requestOfKey(key: string | null): RequestId | null {
  return key?.startsWith("request:") ? key.slice("request:".length) : null;
}

export function stageKey(
  taskId: TaskId,
  stage: { readonly stageId: StageId; readonly requestId: RequestId | null },
): string {
  return stage.requestId === null ? `stage:${taskId}/${stage.stageId}` : requestKey(stage.requestId);
}

export function useSelection(key: string | null): { readonly selected: boolean; readonly toggle: () => void } {
  const parts = useLiveParts();
  const selected = useLive((state) => key !== null && state.selected === key);
  const toggle = useCallback(() => select(parts, parts.store.getState().selected === key ? null : key), [parts, key]);
  return { selected, toggle };
}
