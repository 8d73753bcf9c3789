/** One moment of the event log: all that the panels show of it. */
import { foldEvent } from "./fold";
import type { Folding } from "./history";
import { foldLanes, type Lanes, lanesOf } from "./lanes";
import type { LiveView } from "./view";
import type { ViewEvent } from "./view-event";

export interface Moment {
  readonly view: LiveView;
  readonly lanes: Lanes;
}

export function momentOf(view: LiveView): Moment {
  return { view, lanes: lanesOf(view) };
}

export function foldMoment({ view, lanes }: Moment, event: ViewEvent): Moment {
  return { view: foldEvent(view, event), lanes: foldLanes(lanes, view, event) };
}

export const momentFolding: Folding<Moment> = { fold: foldMoment, viewOf: (moment) => moment.view };
