/** The last seconds of every slot. Drawn at each frame from the state; nothing in it is animated by itself. */
import { Pane } from "../../drawing/pane";
import { SimulatedMark } from "../../drawing/simulated-mark";
import { useLive } from "../../store/live-context";
import { LanesCanvas } from "./lanes-canvas";
import { LanesKey } from "./lanes-key";
import { Scrubber } from "./scrubber";

export function LanesPanel() {
  const seconds = useLive((state) => state.lanesMs / 1_000);
  const slots = useLive(({ view }) => view.slots.length);
  if (slots === 0) return null;
  return (
    <Pane
      title={`Last ${seconds} s`}
      testId="panel-lanes"
      className="col-span-2 border-t border-hairline"
      beside={<Scrubber />}
      aside={
        <>
          <SimulatedMark />
          <LanesKey />
        </>
      }
    >
      <LanesCanvas />
    </Pane>
  );
}
