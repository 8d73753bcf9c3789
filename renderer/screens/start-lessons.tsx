/** Three drawings of what the app is going to show. In ink only, because no agent has come yet; they tell forms, not data. */
import type { CSSProperties, ReactNode } from "react";
import type { StagePhase } from "../../core/view/view";
import { Icon, type IconName } from "../drawing/icon";
import { TokenBlocks } from "../drawing/token-blocks";

const INK = { "--a": "var(--outline)" } as CSSProperties;

export function StartLessons() {
  return (
    <div className="grid rounded-4 border border-hairline narrow:hidden" style={INK}>
      <Lesson icon="running" title="What runs">
        <ExampleGraph />
      </Lesson>
      <Lesson icon="warm" title="What stays warm">
        <div className="mt-3 grid gap-1.5 [--bar-height:16px] [--cell:12px]">
          <TokenBlocks
            prefixEnd={12}
            heldEnd={18}
            pendingEnd={18}
            state="running"
            label="A slot in use: prefix and tail"
          />
          <TokenBlocks
            prefixEnd={15}
            heldEnd={15}
            pendingEnd={15}
            state="warm"
            label="An idle slot whose prefix is kept"
          />
        </div>
        <p className="mt-3 flex gap-4 text-11 text-ink-2">
          <BlockKey kind="prefix" word="shared prefix" />
          <BlockKey kind="tail" word="private tail" />
          <BlockKey kind="warm-prefix" word="warm, idle" />
        </p>
      </Lesson>
      <Lesson icon="waiting" title="Why the rest waits">
        <p className="mt-2 text-13 text-ink-2">
          “Waits for a slot: writer#2 goes first because it ends task 3 sooner.”
        </p>
        <p className="code mt-1">NO_FREE_SLOT</p>
      </Lesson>
    </div>
  );
}

function Lesson({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="border-hairline p-4 not-first:border-t">
      <h2 className="flex items-center gap-2 text-13">
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  );
}

function BlockKey({ kind, word }: { readonly kind: string; readonly word: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="blocks sample">
        <i className={kind} />
        <i className={kind} />
      </span>
      {word}
    </span>
  );
}

function ExampleGraph() {
  return (
    <div className="relative mt-2 h-[100px] w-[415px]">
      <svg className="edges" width="415" height="100" aria-hidden="true">
        <path className="critical" d="M117 50C133 50 133 23 149 23" />
        <path d="M117 50C133 50 133 77 149 77" />
        <path className="critical ahead" d="M266 23C282 23 282 50 298 50" />
        <path className="ahead" d="M266 77C282 77 282 50 298 50" />
      </svg>
      <ExampleNode place="left-0 top-[27px]" name="planner" phase="done" icon="done" word="done" />
      <ExampleNode
        place="left-[149px] top-0"
        name="worker"
        phase="running"
        icon="running"
        word="running"
        where="slot 1"
      />
      <ExampleNode
        place="left-[149px] top-[54px]"
        name="worker"
        phase="running"
        icon="running"
        word="running"
        where="slot 2"
      />
      <ExampleNode place="left-[298px] top-[27px]" name="writer" phase="not_ready" icon="locked" word="not ready" />
    </div>
  );
}

interface ExampleNodeProps {
  readonly place: string;
  readonly name: string;
  readonly phase: StagePhase;
  readonly icon: IconName;
  readonly word: string;
  readonly where?: string;
}

function ExampleNode({ place, name, phase, icon, word, where = "" }: ExampleNodeProps) {
  return (
    <div className={`absolute h-[46px] w-[117px] ${place}`}>
      <div className="node" data-phase={phase}>
        <span className="flex text-12">
          <span className="flex-1">{name}</span>
          <span className="text-11 text-ink-3">{where}</span>
        </span>
        <span className="flex items-center gap-1 text-11 text-ink-2">
          <Icon name={icon} small />
          {word}
        </span>
      </div>
    </div>
  );
}
