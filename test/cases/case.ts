/** What a case is: a setting, a thing done to a fresh server, and a verdict with its figures. */
import type { CaseServer, LaunchOptions, ServerSetting } from "./case-server";

export interface Verdict {
  /** Null: there is nothing to pass, the figures are what is wanted. */
  readonly passed: boolean | null;
  readonly figures: Readonly<Record<string, unknown>>;
  /** Ids whose explanation is the evidence. */
  readonly requestIds?: readonly string[];
}

export interface CaseContext {
  /** For cases that start servers of their own. */
  readonly launch: Pick<LaunchOptions, "port" | "builtFolder">;
  /** Where the server writes its inputs and events. */
  readonly journal: string;
}

export interface Case {
  /** As in the list of reported cases. */
  readonly id: string;
  readonly title: string;
  readonly setting?: ServerSetting;
  run(server: CaseServer, context: CaseContext): Promise<Verdict>;
}

/** Starts each job so long after the call; results in the order of the jobs. */
export function together<Result>(...jobs: readonly (readonly [number, () => Promise<Result>])[]): Promise<Result[]> {
  return Promise.all(
    jobs.map(async ([delayMs, job]) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return job();
    }),
  );
}

export function share(part: number, whole: number): number {
  return Math.round((part / whole) * 1000) / 1000;
}

export function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
