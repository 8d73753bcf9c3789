/** A selector and four speakers over one growing transcript. */
import type { WorkloadSpec } from "../spec";
import { agents } from "./lengths";

const speakers = ["speaker-a", "speaker-b", "speaker-c", "speaker-d"];

export const groupChat: WorkloadSpec = {
  name: "group-chat",
  agents: [...agents(["selector"], [300, 600]), ...agents(speakers, [600, 1500])],
  workflows: [
    {
      id: "group-chat",
      share: 1,
      stages: [
        {
          kind: "group_chat",
          id: "chat",
          selector: "selector",
          speakers,
          after: [],
          rounds: [6, 10],
          firstTokens: [50, 200],
          selectTokens: [2, 6],
          outputTokens: [80, 300],
        },
      ],
    },
  ],
  arrivals: { kind: "poisson" },
};
