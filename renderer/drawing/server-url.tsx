/** The address to point agents at, with its copy button. */
import { CopyButton } from "./copy-button";

export function ServerUrl({ url }: { readonly url: string | null }) {
  if (url === null) return <span className="text-12 whitespace-nowrap text-ink-2">server not listening</span>;
  return (
    <div className="flex h-7 min-w-0 flex-none items-center overflow-hidden rounded-3 border border-edge bg-pane">
      <code className="pr-1 pl-2 text-12 select-text">{url}</code>
      <CopyButton text={url} what="the server URL" />
    </div>
  );
}
