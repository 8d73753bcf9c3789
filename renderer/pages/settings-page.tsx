/** What this window remembers of its own: the theme. And what it is: version, and how much it keeps. */
import { useState } from "react";
import { Icon } from "../drawing/icon";
import { useLive, useLiveParts } from "../store/live-context";
import { chooseTheme, readTheme, type ThemeChoice } from "../store/theme";
import { count } from "../words/figures";
import { Facts, PageFrame, PageSection } from "./page-parts";

const THEMES: readonly (readonly [ThemeChoice, string])[] = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

export function SettingsPage() {
  const { store } = useLiveParts();
  const version = useLive(({ status }) => status.version);
  const kept = useLive(({ history }) => history.lastNumber - history.firstNumber);
  return (
    <PageFrame title="Settings">
      <PageSection title="Look">
        <ThemeChoices />
      </PageSection>
      <PageSection title="This window">
        <Facts
          facts={[
            ["Version", version],
            ["Events kept to scrub over", `${count(kept)}, the oldest go first`],
            [
              "Keys",
              <button key="keys" type="button" className="button" onClick={() => store.setState({ overlay: "keys" })}>
                Show all keys <kbd>?</kbd>
              </button>,
            ],
          ]}
        />
      </PageSection>
    </PageFrame>
  );
}

function ThemeChoices() {
  const [choice, setChoice] = useState<ThemeChoice>(readTheme);
  const choose = (theme: ThemeChoice) => {
    chooseTheme(theme);
    setChoice(theme);
  };
  return (
    <fieldset className="flex gap-2 py-3">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(([theme, words]) => (
        <label key={theme} className="button has-checked:border-ink-1 has-focus-visible:outline-2">
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={theme === choice}
            onChange={() => choose(theme)}
          />
          <Icon name={theme} />
          {words}
          {theme === choice && <Icon name="done" small />}
        </label>
      ))}
    </fieldset>
  );
}
