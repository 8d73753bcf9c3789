/** Names of the scheduling policies, as options, the API and the window say them. */
export type PolicyName =
  | "topas"
  | "fcfs"
  | "lpm"
  | "parrot"
  | "plas"
  | "atlas"
  | "spf"
  | "lcp-slot"
  | "continuum"
  | "hrrn"
  | "kairos"
  | "kvflow"
  | "belady";
