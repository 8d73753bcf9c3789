/** What `npm run replay` says. */
import { columns } from "../../demo/table";
import type { CheckedJournal } from "../journal/check-journal";
import { signed } from "../tables";
import type { JctFigures, PolicyComparison } from "./compare-policies";

export function replayText(file: string, journal: CheckedJournal): string {
  const { policy, inputs, events, difference, cutAtLine } = journal;
  const cut = cutAtLine === null ? "" : `, up to the cut in line ${cutAtLine}`;
  const head = `${file}: ${count(inputs)} inputs, ${count(events)} events under ${policy}${cut}: `;
  if (difference === null) return `${head}identical`;
  const { eventNumber, line, recorded, replayed } = difference;
  return [
    `${head}not identical`,
    `  event ${eventNumber}, line ${line} of the file:`,
    `    recorded: ${recorded === null ? "no event here" : shortened(recorded)}`,
    `    replayed: ${replayed === null ? "no event here" : shortened(replayed)}`,
    "  The file was changed, or it was written by another version of the scheduler.",
  ].join("\n");
}

export function comparisonText({ tasks, engineLosses, costs, recorded, simulated, other }: PolicyComparison): string {
  const row = (name: string, { policy, meanJctS, p99JctS }: JctFigures, ...rest: string[]) => {
    return [name, policy, `${meanJctS.toFixed(2)} s`, `${p99JctS.toFixed(2)} s`, ...rest];
  };
  const rows = [
    ["", "policy", "mean JCT", "p99 JCT", "mean", "p99"],
    row("recorded", recorded, "", ""),
    row("simulated", simulated, signed(simulated.meanChange), signed(simulated.p99Change)),
    row("what if", other, signed(other.meanChange), signed(other.p99Change)),
  ];
  const losses =
    engineLosses === 0
      ? ""
      : ` The engine was lost while requests were open (${count(engineLosses)}); the simulated one never is.`;
  const changes = "  Changes: simulated against recorded is the simulator's error; what if is against simulated.";
  return `${count(tasks)} tasks were over; simulated with ${costs} costs.${losses}\n${columns(rows)}\n${changes}`;
}

/** Prompts make lines of many pages. */
const charactersMax = 2000;

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}... (${count(text.length)} characters)`;
}

const count = (number: number) => number.toLocaleString("en-US");
