/** One waiting request: place, who, age, what it would reuse, score, and why it waits. */

import { memo } from "react";
import type { Milliseconds, RequestId } from "../../../core/contract/ids";
import { foreseenStartMs } from "../../../core/view/foresee";
import type { LiveView, QueueRow } from "../../../core/view/view";
import { isLive } from "../../acts/is-live";
import { cancelRequest, moveUp, pinPrefix, undoMoveUp, unpinPrefix } from "../../acts/server-acts";
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { Icon, type IconName } from "../../drawing/icon";
import { LiveText } from "../../drawing/live-text";
import { useLive, useLiveParts, useLiveShape, useNow } from "../../store/live-context";
import { MOVED_SHOWN_MS } from "../../store/moved-rows";
import { inspect } from "../../store/navigate";
import { requestKey, useSelection } from "../../store/selection";
import { age, count, scoreMs } from "../../words/figures";
import { flowName } from "../../words/tasks";
import { Cell } from "./cell";
import { reuseWords } from "./reuse-words";

export const WaitingRow = memo(function WaitingRow({ requestId }: { readonly requestId: RequestId }) {
  const row = useLive(({ view }) => view.queue.find((candidate) => candidate.requestId === requestId));
  const request = useLiveShape(({ view }) => {
    const own = view.requests[requestId];
    return {
      agent: own?.agent ?? "",
      label: own?.label ?? "",
      flow: own ? flowName(view, own.taskId) : "",
      promptTokens: own?.promptTokens ?? 0,
      movedUp: own?.movedUp ?? false,
    };
  });
  const colours = useAgentColours(request.agent);
  const parts = useLiveParts();
  const { selected, toggle } = useSelection(requestKey(requestId));
  if (!row) return null;
  const source = reuseWords(row.reuse);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the queue is a grid of its own; its rows hold a button
    <div
      role="row"
      tabIndex={0}
      aria-selected={selected}
      data-selectable=""
      data-request={requestId}
      data-testid="queue-row"
      className="selectable queue-row group queue-grid h-[42px] border-t border-hairline text-12 short:h-10"
      style={colours}
      onClick={toggle}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target !== event.currentTarget) return;
        if (!selected) toggle();
        inspect(parts, row.decision);
      }}
    >
      <Cell className="grid text-right leading-[18px] text-ink-2">
        <span>{row.place}</span>
        <FormerPlace requestId={requestId} />
      </Cell>
      <Cell className="grid min-w-0 grid-cols-[18px_minmax(0,1fr)] items-center gap-x-2">
        <span className="row-span-2 grid">
          <AgentTag name={request.agent} />
        </span>
        <b className="truncate font-medium" dir="auto" title={request.label}>
          {request.label}
        </b>
        <small className="truncate text-11 text-ink-2" dir="auto" title={request.flow}>
          {request.flow}
        </small>
      </Cell>
      <Cell className="text-right whitespace-nowrap">
        <LiveText ticking read={({ view }, nowMs) => age(nowMs - (view.requests[requestId]?.arrivedAtMs ?? nowMs))} />
      </Cell>
      <Cell className="grid gap-0.5" title={source.title}>
        <span className="flex items-center gap-1 whitespace-nowrap">
          <Icon name={source.icon} small />
          <span className="flex-1 truncate text-ink-2">{source.word}</span>
          {count(row.reuse.tokens)} / {count(request.promptTokens)}
        </span>
        <span className="h-1 overflow-hidden rounded-1 bg-control">
          <i
            className="block h-full bg-agent"
            style={{ width: `${(100 * row.reuse.tokens) / Math.max(1, request.promptTokens)}%` }}
          />
        </span>
      </Cell>
      <Cell className="text-right">{scoreMs(row.score)}</Cell>
      <Cell className="grid min-w-0 leading-[18px]">
        <span className="truncate" title={row.sentence}>
          {row.sentence}
        </span>
        <span className="flex gap-2">
          <span className="code">{row.code}</span>
          <LiveText
            ticking
            className="text-11 text-ink-2"
            title="From the times that the stages which run now took before"
            read={({ view }, nowMs) => startText(view, row, nowMs)}
          />
          {request.movedUp && <small className="text-11 text-ink-2">moved up by you</small>}
        </span>
      </Cell>
      <Cell className="contents">
        <RowActs requestId={requestId} label={request.label} agent={request.agent} />
      </Cell>
    </div>
  );
});

function startText(view: LiveView, { requestId, place }: QueueRow, nowMs: Milliseconds): string {
  // Who stands further behind than there are slots cannot be foreseen.
  const startMs = place > view.slots.length ? null : foreseenStartMs(view, requestId, nowMs);
  return startMs === null ? "" : `starts in about ${age(startMs - nowMs)}`;
}

/** A row that moved tells for two seconds where it came from. */
function FormerPlace({ requestId }: { readonly requestId: RequestId }) {
  const moved = useLive((state) => state.moved[requestId]);
  return moved ? <FormerPlaceText place={moved.fromPlace} untilMs={moved.atMs + MOVED_SHOWN_MS} /> : null;
}

function FormerPlaceText({ place, untilMs }: { readonly place: number; readonly untilMs: number }) {
  const over = useNow(200) > untilMs;
  return over ? null : <small className="text-11 whitespace-nowrap text-ink-3">was {place}</small>;
}

/** Shown while the row is pointed at or has the focus: to the front and back, pin the prefix, cancel. */
function RowActs({
  requestId,
  label,
  agent,
}: {
  readonly requestId: RequestId;
  readonly label: string;
  readonly agent: string;
}) {
  const parts = useLiveParts();
  const movedUp = useLive(({ view }) => view.requests[requestId]?.movedUp ?? false);
  const pinned = useLive(({ view }) => view.pinned.includes(agent));
  const live = useLive(isLive);
  if (!live) return null;
  return (
    <span className="row-acts flex justify-end">
      {movedUp ? (
        <ActButton
          icon="open"
          label={`Give ${label} the policy's place again`}
          onAct={() => undoMoveUp(parts, requestId, label)}
        />
      ) : (
        <ActButton icon="up" label={`Move ${label} up to the front`} onAct={() => moveUp(parts, requestId, label)} />
      )}
      <ActButton
        icon={pinned ? "pinned" : "pin"}
        label={`${pinned ? "Unpin" : "Pin"} the prefix of ${agent}`}
        onAct={() => (pinned ? unpinPrefix(parts, agent) : pinPrefix(parts, agent))}
      />
      <ActButton icon="close" label={`Cancel ${label}`} onAct={() => cancelRequest(parts, requestId, label)} />
    </span>
  );
}

function ActButton({
  icon,
  label,
  onAct,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly onAct: () => void;
}) {
  return (
    <button
      type="button"
      className="grid size-7 place-items-center rounded-3 text-ink-2 hover:bg-control hover:text-ink-1"
      title={label}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        onAct();
      }}
    >
      <Icon name={icon} small />
    </button>
  );
}
