/** Writes down, inside the page, what the three panels show while nobody looks. */
import type { Page } from "playwright-core";
import type { PortMessage } from "../../core/contract/window";
import type { Totals } from "../../core/view/view";

export interface Sightings {
  readonly nodePhases: readonly string[];
  readonly slotStates: readonly string[];
  readonly queueRowsMax: number;
  /** As a page that is loaded now is told. */
  readonly totals: Totals;
}

type Watched = typeof globalThis & { seen: { phases: Set<string>; states: Set<string>; rows: number } };

/** Begins anew each time it is called. */
export async function watchPanels(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { phases: new Set<string>(), states: new Set<string>(), rows: 0 };
    (globalThis as Watched).seen = seen;
    const all = (testId: string) => Array.from(document.querySelectorAll<HTMLElement>(`[data-testid=${testId}]`));
    const look = () => {
      for (const node of all("node")) seen.phases.add(node.dataset.phase ?? "");
      for (const slot of all("slot")) seen.states.add(slot.dataset.state ?? "");
      seen.rows = Math.max(seen.rows, all("queue-row").length);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["data-phase", "data-state"],
    });
    look();
  });
}

/** Loads the page again: what it then shows comes from a new snapshot. */
export async function readSightings(page: Page): Promise<Sightings> {
  const panels = await page.evaluate(() => {
    const { phases, states, rows } = (globalThis as Watched).seen;
    return { nodePhases: [...phases], slotStates: [...states], queueRowsMax: rows };
  });
  return { ...panels, totals: await readTotals(page) };
}

async function readTotals(page: Page): Promise<Totals> {
  await page.addInitScript(() => {
    const first = new Promise<unknown>((resolve) => {
      window.addEventListener("message", ({ ports: [port] }) =>
        port?.addEventListener("message", ({ data }) => resolve(data)),
      );
    });
    Object.assign(globalThis, { firstMessage: first });
  });
  await page.reload();
  const message = await page.evaluate(
    () => (globalThis as unknown as { firstMessage: Promise<PortMessage> }).firstMessage,
  );
  if (message.kind !== "snapshot") throw new Error(`A page was first sent ${message.kind} instead of a snapshot.`);
  return message.view.totals;
}
