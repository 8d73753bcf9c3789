/** Copies a text through the main process; its icon is a check for two seconds afterwards. */
import { useEffect, useState } from "react";
import { useCommand } from "../store/live-context";
import { Icon } from "./icon";

const CHECK_SHOWN_MS = 2_000;

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const send = useCommand();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CHECK_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void send((commands) => commands.copyText(text)).then(setCopied);
  const label = copied ? "Copied" : `Copy ${what}`;
  return (
    <button
      type="button"
      className="grid h-[26px] w-7 flex-none place-items-center rounded-2 text-ink-2 hover:text-ink-1"
      title={label}
      aria-label={label}
      onClick={copy}
    >
      <Icon name={copied ? "done" : "copy"} />
    </button>
  );
}
