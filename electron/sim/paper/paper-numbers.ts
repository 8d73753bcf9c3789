/** What the TOPAS paper (arXiv 2608.25523) measured against its best baseline, as fractions. */
export interface PaperNumbers {
  readonly workload: string;
  readonly meanChange: number;
  readonly p99Change: number;
}

export const paperNumbers: readonly PaperNumbers[] = [
  { workload: "chain-3", meanChange: -0.275, p99Change: -0.317 },
  { workload: "dag-4", meanChange: -0.398, p99Change: -0.494 },
  { workload: "dag-10-wide", meanChange: -0.277, p99Change: -0.308 },
  { workload: "metagpt-sop", meanChange: -0.098, p99Change: -0.045 },
  { workload: "metagpt-tl", meanChange: -0.22, p99Change: -0.266 },
];
