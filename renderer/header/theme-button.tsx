/** Goes round: as the system is set, light, dark. */
import { useState } from "react";
import { Icon } from "../drawing/icon";
import { chooseTheme, readTheme, type ThemeChoice } from "../store/theme";

const NEXT: Record<ThemeChoice, ThemeChoice> = { system: "light", light: "dark", dark: "system" };
const WORDS: Record<ThemeChoice, string> = { system: "as the system", light: "light", dark: "dark" };

export function ThemeButton() {
  const [choice, setChoice] = useState<ThemeChoice>(readTheme);
  const label = `Theme: ${WORDS[choice]}. Change to ${WORDS[NEXT[choice]]}`;
  const change = () => {
    chooseTheme(NEXT[choice]);
    setChoice(NEXT[choice]);
  };
  return (
    <button type="button" className="button bare square" title={label} aria-label={label} onClick={change}>
      <Icon name={choice} />
    </button>
  );
}
