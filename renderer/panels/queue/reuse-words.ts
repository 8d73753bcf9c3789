/** Where the beginning of a waiting prompt would come from: icon and word. */
import type { PrefixSource } from "../../../core/topas/decision";
import type { IconName } from "../../drawing/icon";

export function reuseWords(source: PrefixSource): {
  readonly icon: IconName;
  readonly word: string;
  readonly title: string;
} {
  switch (source.kind) {
    case "in_place":
      return { icon: "warm", word: "warm", title: "Found in an idle slot, used in place" };
    case "fork":
      return { icon: "fork", word: `slot ${source.from}`, title: `Copied from slot ${source.from}` };
    case "restore":
      return { icon: "fork", word: "store", title: "Brought back from the warm store in RAM" };
    case "prefill":
      return { icon: "prefill", word: "prefill", title: "In no slot: all of it is computed" };
    default:
      return source satisfies never;
  }
}
