/**
 * Takes pictures of every state of the window's page, in both themes and both sizes, into test/artifacts/window/.
 * Run: npx tsx test/renderer/pictures.ts [beginning of a name] [--axe]. Needs the tests' Electron.
 */
import { PICTURE_MOMENTS } from "./made-up/picture-moments";
import { accessProblems, openStudio, pictureOf, SIZES, THEMES } from "./take-pictures";

const asked = process.argv.slice(2);
const [wanted = ""] = asked.filter((word) => !word.startsWith("--"));
const look = asked.includes("--axe") ? accessProblems : undefined;

const studio = await openStudio();
try {
  for (const moment of PICTURE_MOMENTS) {
    if (!moment.name.startsWith(wanted)) continue;
    for (const colorScheme of THEMES)
      for (const viewport of SIZES)
        for (const problem of await pictureOf(studio, moment, { colorScheme, viewport }, look))
          console.error(`${moment.name}, ${colorScheme}, ${viewport.width}: ${problem}`);
  }
} finally {
  await studio.close();
}
