/** Light, dark, or as the system is set. Remembered in this window's own storage; the theme is one attribute on `html`. */
export type ThemeChoice = "system" | "light" | "dark";

const KEY = "topas.theme";
const systemIsLight = () => window.matchMedia("(prefers-color-scheme: light)");

export function readTheme(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function applyTheme(choice: ThemeChoice): void {
  const effective = choice === "system" ? (systemIsLight().matches ? "light" : "dark") : choice;
  document.documentElement.dataset.theme = effective;
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  applyTheme(choice);
}

/** Applies the remembered choice and goes along when the system changes. */
export function followTheme(): void {
  applyTheme(readTheme());
  systemIsLight().addEventListener("change", () => applyTheme(readTheme()));
}
