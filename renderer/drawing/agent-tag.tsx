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
    : { "--a": "var(--outline)", "--o": "var(--bg-1)" };
  return colours as CSSProperties;
}

export function useAgentColours(agent: AgentId | null): CSSProperties {
  const place = useLive((state) => (agent === null ? -1 : state.view.agents.indexOf(agent)));
  return agentColours(place);
}

export function agentLetters(name: string): string {
  const letters = [...name].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).slice(0, 2);
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
