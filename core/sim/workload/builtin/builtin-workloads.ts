/** The built-in workloads by name. Their numbers are fixed and written down in core/sim/README.md. */
import type { WorkloadSpec } from "../spec";
import { bestOfN } from "./best-of-n";
import { bursts } from "./bursts";
import { chain3 } from "./chain-3";
import { dag4 } from "./dag-4";
import { dag10Wide } from "./dag-10-wide";
import { groupChat } from "./group-chat";
import { mapReduce } from "./map-reduce";
import { metagptSop } from "./metagpt-sop";
import { metagptTl } from "./metagpt-tl";
import { react } from "./react";

export const builtinWorkloads: readonly WorkloadSpec[] = [
  chain3,
  dag4,
  dag10Wide,
  metagptSop,
  metagptTl,
  react,
  groupChat,
  mapReduce,
  bestOfN,
  bursts,
];
