/** The window's views at the left: names from 1200 px on, icons with tooltips below. */
import { Icon } from "../drawing/icon";
import { useLive, useLiveParts } from "../store/live-context";
import type { Page } from "../store/live-store";
import { openPage } from "../store/navigate";

export interface PageWords {
  readonly page: Page;
  readonly name: string;
  readonly key: string;
}

export const PAGES: readonly PageWords[] = [
  { page: "live", name: "Live", key: "Ctrl+1" },
  { page: "timeline", name: "Timeline", key: "Ctrl+2" },
  { page: "workflows", name: "Workflows", key: "Ctrl+3" },
  { page: "models", name: "Models", key: "Ctrl+4" },
  { page: "server", name: "Server", key: "Ctrl+5" },
  { page: "settings", name: "Settings", key: "Ctrl+," },
];

export function Rail() {
  const parts = useLiveParts();
  const now = useLive((state) => state.page);
  return (
    <nav aria-label="Views" className="rail flex flex-none flex-col gap-1 border-r border-hairline bg-window px-1 py-2">
      {PAGES.map(({ page, name, key }) => (
        <button
          key={page}
          type="button"
          title={`${name} (${key.replace("+", " ")})`}
          aria-current={page === now ? "page" : undefined}
          data-testid={`page-${page}`}
          className="grid justify-items-center gap-0.5 rounded-3 pt-2 pb-1 text-11 font-medium text-ink-2 last:mt-auto hover:bg-raised aria-[current]:bg-control aria-[current]:text-ink-1 narrow:py-2.5"
          onClick={() => openPage(parts, page)}
        >
          <Icon name={page} rail />
          <span className="narrow:sr-only">{name}</span>
        </button>
      ))}
    </nav>
  );
}
