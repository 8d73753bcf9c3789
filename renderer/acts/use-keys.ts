/** Listens for the keys of the act list, except while somebody types or a menu, a slider or a dialogue has its own use for them. */
import { useEffect } from "react";
import { useLiveParts } from "../store/live-context";
import { closeInspector, select } from "../store/navigate";
import { actOf, keyName } from "./act-list";

const TYPES = "input:not([type=range]), textarea, select, [contenteditable], dialog, [role=menu]";
/** Space and Enter press what has the focus; arrows belong to sliders and groups of buttons. */
const PRESSABLE = "button, a, [role=row]";
const STEPPED = "input[type=range], [role=radiogroup]";

export function useKeys(): void {
  const parts = useLiveParts();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      if (event.target.closest(TYPES) !== null) return;
      if (event.key === "Escape") return closeOne();
      const name = keyName(event);
      if (name === " " && event.target.closest(PRESSABLE) !== null) return;
      if (/^Arrow/.test(name) && event.target.closest(STEPPED) !== null) return;
      const act = actOf(name);
      if (act === undefined || act.fits?.(parts.store.getState()) === false) return;
      event.preventDefault();
      act.run(parts);
    };
    const closeOne = () => {
      if (parts.store.getState().inspected !== null) closeInspector(parts);
      else if (parts.store.getState().selected !== null) select(parts, null);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [parts]);
}
