/** What the demo crew does, with the one thing that can be done about it. */
import { useLive } from "../store/live-context";
import { counted, duration } from "../words/figures";
import { DemoButton } from "./demo-button";
import { StopDemoButton } from "./stop-demo-button";

export function DemoStatusLine() {
  const demo = useLive(({ status }) => status.demo);
  const down = useLive(({ status }) => status.outage !== null);
  switch (demo.phase) {
    case "running":
      return (
        <span className="flex flex-none items-center gap-3 text-12 text-ink-2">
          Demo crew: {demo.tasksDone} of {counted(demo.tasksTotal, "task")}
          <StopDemoButton />
        </span>
      );
    case "finished":
      return (
        <span className="flex flex-none items-center gap-3 text-12 text-ink-2">
          Demo crew: {counted(demo.tasksDone, "task")} done, JCT mean {duration(demo.meanJctMs)}
          {!down && <DemoButton words="Run again" />}
        </span>
      );
    case "failed":
      return down ? null : <DemoButton words="Run again" />;
    case "idle":
      return down ? null : <DemoButton words="Run the demo crew" />;
    default:
      return demo satisfies never;
  }
}
