/** The square with two letters that stands for an agent, and the colours that belong to it. The full name stands beside it. */
import type { CSSProperties } from "react";
import type { AgentId } from "../../core/contract/ids";
import { useLive } from "../store/live-context";

const HUES = 8;

/** `place` is the agent's place in the order of first appearance; later ones and unknown ones get no hue. */
export function agentColours(place: number): CSSProperties {
  const known = place >= 0 && place < HUES;
  const colours = known
    ? { "--a": `var(--agent-${place + 1})`, "--o": `var(--on-${place + 1})` }
    : { "--a": "var(--outline)", "--o": "var(--on-later)" };
  return colours as CSSProperties;
}

export function useAgentColours(agent: AgentId | null): CSSProperties {
  const place = useLive((state) => (agent === null ? -1 : state.view.agents.indexOf(agent)));
  return agentColours(place);
}

/** Two letters; of numbered names the number, which tells them apart. */
export function agentLetters(name: string): string {
  const number = /\d+$/.exec(name)?.[0] ?? "";
  if (number.length > 1) return number.slice(-2);
  if (number !== "" && /^\p{L}/u.test(name)) return `${[...name][0]?.toUpperCase()}${number}`;
  // A combining mark belongs to the letter before it.
  const letters = [...name.normalize("NFC")].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).slice(0, 2);
  if (letters.length === 0) return [...new Intl.Segmenter().segment(name)][0]?.segment ?? "";
  return letters.map((letter, index) => (index === 0 ? letter.toUpperCase() : letter)).join("");
}

interface Props {
  readonly name: string;
  readonly little?: boolean;
  readonly hollow?: boolean;
}

export function AgentTag({ name, little = false, hollow = false }: Props) {
  return (
    <span className={`tag ${little ? "little" : ""} ${hollow ? "hollow" : ""}`} aria-hidden="true">
      {agentLetters(name)}
    </span>
  );
}
