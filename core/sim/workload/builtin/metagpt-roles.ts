/** The roles of a software company as MetaGPT names them: each reads what was written before it, so prompts grow. */
import type { Range } from "../spec";

export interface Role {
  readonly agent: string;
  readonly tailTokens: Range;
  readonly outputTokens: Range;
}

export const rolePrefixTokens: Range = [1200, 2500];

export const productManager: Role = { agent: "product-manager", tailTokens: [200, 500], outputTokens: [500, 900] };
export const architect: Role = { agent: "architect", tailTokens: [700, 1400], outputTokens: [400, 800] };
export const projectManager: Role = { agent: "project-manager", tailTokens: [1000, 1900], outputTokens: [300, 600] };
export const engineer: Role = { agent: "engineer", tailTokens: [1400, 2600], outputTokens: [700, 1300] };
export const qualityAssurance: Role = {
  agent: "quality-assurance",
  tailTokens: [1200, 2400],
  outputTokens: [300, 700],
};
