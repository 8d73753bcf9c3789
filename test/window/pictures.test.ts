/**
 * Every state of the page in both themes and both sizes: a picture is written, nothing is complained of in the console, and
 * axe finds no rule of access broken.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PICTURE_MOMENTS } from "../renderer/made-up/picture-moments";
import {
  accessProblems,
  openStudio,
  pictureOf,
  type Setting,
  SIZES,
  type Studio,
  THEMES,
} from "../renderer/take-pictures";

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

const SETTINGS: readonly Setting[] = THEMES.flatMap((colorScheme) =>
  SIZES.map((viewport) => ({ colorScheme, viewport })),
);

/** Each theme and each size once: the rules hang on little else, and axe takes its time. */
const isChecked = ({ colorScheme, viewport }: Setting) => (colorScheme === "dark") === (viewport.width === 1440);

describe.each(PICTURE_MOMENTS)("$name", (moment) => {
  test.each(SETTINGS)("$colorScheme, $viewport.width wide", async (setting) => {
    expect(await pictureOf(studio, moment, setting, isChecked(setting) ? accessProblems : undefined)).toEqual([]);
  });
});
