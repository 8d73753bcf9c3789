/** What the demo crew does, with the one thing that can be done about it. */
import { useLive } from "../store/live-context";
import { count, counted, duration } from "../words/figures";
import { DemoButton } from "./demo-button";
import { StopDemoButton } from "./stop-demo-button";

const LINE = "flex min-w-0 items-center gap-2 text-12 text-ink-2";

export function DemoStatusLine() {
  const demo = useLive(({ status }) => status.demo);
  const recorded = useLive(({ status }) => status.recording !== null);
  const down = useLive(({ status }) => status.outage !== null);
  if (recorded) return null;
  switch (demo.phase) {
    case "running":
      return (
        <span className={LINE} data-testid="demo-status" data-phase={demo.phase}>
          <span className="truncate">
            Demo: {count(demo.tasksDone)} of {counted(demo.tasksTotal, "task")}
          </span>
          <StopDemoButton />
        </span>
      );
    case "finished":
      return (
        <span className={LINE} data-testid="demo-status" data-phase={demo.phase}>
          <span className="truncate narrow:hidden">
            Demo: {counted(demo.tasksDone, "task")}, JCT {duration(demo.meanJctMs)}
          </span>
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
