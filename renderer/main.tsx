/** Puts the page together: bridge, feed, clock, and React once the first snapshot is there. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { commands, listen } from "./bridge";
import { createClock } from "./store/clock";
import { LiveProvider } from "./store/live-context";
import { createLiveFeed } from "./store/live-feed";
import { followTheme } from "./store/theme";
import "./style.css";

const element = document.getElementById("root");
if (element === null) throw new Error("The page has no root element.");
const root = createRoot(element);
const clock = createClock();

const receive = createLiveFeed({
  clock,
  onNextFrame: (show) => requestAnimationFrame(show),
  onReady: (store) =>
    root.render(
      <StrictMode>
        <LiveProvider parts={{ store, clock, commands: commands() }}>
          <App />
        </LiveProvider>
      </StrictMode>,
    ),
});
listen(receive);
followTheme();
