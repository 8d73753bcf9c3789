/**
 * Agents that were given a name and a key of their own, in memory and, if there is a file, on disk. Keys are kept as hashes only: who
 * reads the file cannot call with them.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";

export const agentsMax = 1000;

const agentSchema = z.object({
  name: z.string().min(1).max(128),
  workflow: z.string().min(1).max(128).nullable(),
  keyHash: z.string().regex(/^[\da-f]{64}$/),
  createdAtS: z.int(),
});

const fileSchema = z.object({ version: z.literal(1), agents: z.array(agentSchema).max(agentsMax) });

export type NamedAgent = Readonly<z.output<typeof agentSchema>>;

export class AgentStore {
  readonly #agents = new Map<string, NamedAgent>();

  /** Throws in plain words when the file is there and cannot be read. */
  constructor(private readonly file: string | null) {
    if (file === null || !existsSync(file)) return;
    try {
      for (const agent of fileSchema.parse(JSON.parse(readFileSync(file, "utf8"))).agents) {
        this.#agents.set(agent.name, agent);
      }
    } catch {
      throw new Error(`The file of named agents, ${file}, cannot be read. Mend it or move it away.`);
    }
  }

  get all(): readonly NamedAgent[] {
    return [...this.#agents.values()];
  }

  get(name: string): NamedAgent | null {
    return this.#agents.get(name) ?? null;
  }

  /** Gives the key, which nobody can be told again. An agent that is there gets a new one. */
  create(name: string, workflow: string | null, createdAtS: number): string {
    const key = `sk-local-${randomBytes(24).toString("base64url")}`;
    this.#agents.set(name, { name, workflow, keyHash: hashOf(key).toString("hex"), createdAtS });
    this.#save();
    return key;
  }

  delete(name: string): void {
    this.#agents.delete(name);
    this.#save();
  }

  /** Compares with every key, so that the time tells nothing of which one was near. */
  ofKey(key: string): NamedAgent | null {
    const given = hashOf(key);
    let found: NamedAgent | null = null;
    for (const agent of this.#agents.values()) {
      if (timingSafeEqual(given, Buffer.from(agent.keyHash, "hex"))) found = agent;
    }
    return found;
  }

  /** Beside it first, so that a crash never leaves half a file. */
  #save(): void {
    if (this.file === null) return;
    const text = JSON.stringify({ version: 1, agents: this.all }, null, 2);
    writeFileSync(`${this.file}.new`, `${text}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

export function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
