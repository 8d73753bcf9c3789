/** Opening and saving recordings: from the palette, by key, and by dropping a file on the window. */
import { useEffect } from "react";
import type { CommandResult, TopasBridge } from "../../core/contract/window";
import { type LiveParts, useLiveParts } from "../store/live-context";
import type { LiveState } from "../store/live-store";
import type { Act } from "./act-list";

const isRecorded = ({ status }: LiveState) => status.recording !== null;

export const RECORDING_ACTS: readonly Act[] = [
  { words: "Open a recording", keys: ["Ctrl+o"], run: (parts) => void told(parts, (to) => to.openRecording()) },
  {
    words: "Close the recording and show the live server",
    keys: [],
    fits: isRecorded,
    run: (parts) => void told(parts, (to) => to.closeRecording()),
  },
  {
    words: "Save a recording of this run",
    keys: ["r"],
    fits: (state) => !isRecorded(state),
    run: (parts) => void told(parts, (to) => to.saveRecording()),
  },
  {
    words: "Save a trace for ui.perfetto.dev",
    keys: [],
    run: (parts) => void told(parts, (to) => to.saveTrace()),
  },
];

async function told(
  { store, commands }: LiveParts,
  send: (commands: TopasBridge) => Promise<CommandResult>,
): Promise<void> {
  const result = await send(commands);
  store.setState({ problem: result.ok ? null : result.message });
}

/** Files may be dropped anywhere on the window; the first one counts. */
export function useDroppedFiles(): void {
  const parts = useLiveParts();
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const onDragOver = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) void told(parts, (to) => to.openDroppedFile(file));
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("drop", onDrop);
    };
  }, [parts]);
}
