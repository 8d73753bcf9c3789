/** Asks for the inspection of one decision, and again each second while something it predicted has not happened yet. */
import { useEffect, useState } from "react";
import type { InspectionResult } from "../../../core/inspect/inspection";
import { useLiveParts } from "../../store/live-context";

const againMs = 1_000;

/** Null until the first answer; while another decision is asked for, the last answer stays. */
export function useInspection(decision: number): InspectionResult | null {
  const { commands } = useLiveParts();
  const [result, setResult] = useState<InspectionResult | null>(null);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const answer = await commands
        .inspectDecision(decision)
        .catch((error: unknown): InspectionResult => ({ kind: "failed", message: String(error) }));
      if (isLeft) return;
      setResult(answer);
      if (isOpen(answer)) timer = setTimeout(ask, againMs);
    };
    void ask();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [commands, decision]);
  return result;
}

function isOpen(answer: InspectionResult): boolean {
  return answer.kind === "found" && answer.inspection.expectations.some(({ state }) => state === "open");
}
