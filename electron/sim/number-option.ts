/** Numbers on the command line, refused with the range they must be in. */
import { InvalidArgumentError } from "commander";

export function wholeNumber(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`--${name} must be a whole number from ${least} to ${most}.`);
  };
}

export function fraction(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`--${name} must be a number from ${least} to ${most}.`);
  };
}
