/** The start screen's moment: a ready engine that nobody has asked anything yet. */
import { emptyView } from "../../../core/view/fold";
import type { LiveView } from "../../../core/view/view";
import { slot } from "./parts";

export const idleView: LiveView = {
  ...emptyView("topas"),
  engine: { phase: "ready", lostReason: null, slots: 4, slotTokens: 2_048 },
  slots: [0, 1, 2, 3].map((index) => slot(index, {})),
};
