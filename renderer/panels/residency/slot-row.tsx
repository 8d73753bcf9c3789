/** One slot: a line of words, and its bar of blocks. */
import { memo, type ReactNode } from "react";
import type { SlotIndex } from "../../../core/contract/ids";
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { layoutBlocks } from "../../drawing/block-layout";
import { Icon } from "../../drawing/icon";
import { LiveText } from "../../drawing/live-text";
import { Selectable } from "../../drawing/selectable";
import { TokenBlocks } from "../../drawing/token-blocks";
import { useLiveShape } from "../../store/live-context";
import { requestKey } from "../../store/selection";
import { ForkArrow } from "./fork-arrow";
import { heldText, slotIcon, slotNow, slotText } from "./slot-words";

export const SlotRow = memo(function SlotRow({ slot: index }: { readonly slot: SlotIndex }) {
  const shape = useLiveShape(({ view }) => {
    const now = slotNow(view, index);
    const { slot, request, state } = now;
    return {
      state,
      name: request?.label ?? slot?.agent ?? "",
      agent: slot?.agent ?? null,
      requestId: slot?.requestId ?? null,
      icon: slotIcon(now),
      forkedFrom: state === "running" ? (slot?.forkedFrom ?? null) : null,
      // The slot it was copied from may have been given to somebody else since.
      arrow: slot?.forkedFrom != null && view.slots[slot.forkedFrom]?.agent === slot.agent,
      keptFor: state === "warm" ? (slot?.keptFor ?? null) : null,
      idle: state === "warm",
      pinned: slot?.agent != null && view.pinned.includes(slot.agent),
    };
  });
  const colours = useAgentColours(shape.agent);
  return (
    <Selectable
      selectionKey={shape.requestId === null ? null : requestKey(shape.requestId)}
      className="slot text-left"
      style={colours}
      testId="slot"
      data={{ "data-state": shape.state }}
    >
      <span className="slot-line flex min-w-0 items-center gap-2 text-12 whitespace-nowrap">
        {shape.name !== "" && (
          <span className="inline-flex max-w-[45%] flex-none items-center gap-1.5 font-medium">
            <AgentTag name={shape.agent ?? shape.name} little />
            <span className="truncate" dir="auto">
              {shape.name}
            </span>
          </span>
        )}
        <span className="inline-flex flex-none items-center gap-1 text-ink-2">
          <Icon name={shape.icon} small />
          <LiveText
            className="truncate"
            ticking={shape.idle}
            read={({ view }, nowMs) => slotText(slotNow(view, index), nowMs)}
          />
        </span>
        {shape.forkedFrom !== null && (
          <SlotMark title={`forked from slot ${shape.forkedFrom}`}>
            <Icon name="fork" small />
            <span className="truncate">forked from slot {shape.forkedFrom}</span>
          </SlotMark>
        )}
        {shape.pinned && (
          <SlotMark title="pinned by you">
            <Icon name="pinned" small />
            <span className="truncate">pinned</span>
          </SlotMark>
        )}
        {shape.keptFor !== null && (
          <SlotMark title={`kept for ${shape.keptFor}`}>
            <span className="truncate">kept for {shape.keptFor}</span>
          </SlotMark>
        )}
        <span className="ml-auto flex-none text-ink-2" title="shared prefix + private tail">
          <LiveText read={({ view }) => heldText(view.slots[index])} />
          <span className="unit"> tokens</span>
        </span>
      </span>
      <span className="relative col-start-1 row-start-2 self-center pr-1 text-right text-11 text-ink-2">
        slot {index}
      </span>
      {shape.forkedFrom !== null && shape.arrow && <ForkArrow from={shape.forkedFrom} to={index} />}
      <SlotBlocks index={index} />
    </Selectable>
  );
});

function SlotMark({ children, title }: { readonly children: ReactNode; readonly title: string }) {
  return (
    <span
      className="inline-flex h-4 min-w-0 items-center gap-1 rounded-2 bg-control px-1 text-11 text-ink-1"
      title={title}
    >
      {children}
    </span>
  );
}

function SlotBlocks({ index }: { readonly index: SlotIndex }) {
  const layout = useLiveShape(({ view }) => {
    const { slot, state } = slotNow(view, index);
    const none = { prefixEnd: 0, heldEnd: 0, pendingEnd: 0 };
    const ends = slot ? layoutBlocks(slot, view.engine.slotTokens) : none;
    return { ...ends, state: state === "empty" ? ("warm" as const) : state };
  });
  return (
    <TokenBlocks
      {...layout}
      label={`slot ${index}: ${layout.heldEnd} of 32 blocks, ${layout.prefixEnd} of them prefix`}
    />
  );
}
