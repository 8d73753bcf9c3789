/** The demo's two workflows, as a client declares them, and how each stage's prompt is built from the answers before it. */

export interface CrewStage {
  readonly id: string;
  readonly agent: string;
  readonly after: readonly string[];
  /** The user message of this stage; `answers` holds those of earlier stages by stage id. */
  prompt(wish: string, answers: ReadonlyMap<string, string>): string;
}

export interface Crew {
  readonly workflowId: string;
  readonly name: string;
  readonly wishes: readonly string[];
  readonly stages: readonly CrewStage[];
}

const from = (answers: ReadonlyMap<string, string>, stage: string) => answers.get(stage) ?? "";

export const researchCrew: Crew = {
  workflowId: "research-crew",
  name: "Research crew",
  wishes: [
    "Why do cities plant trees along their streets, and does it pay?",
    "How did the shipping container change the price of everyday goods?",
    "What limits the range of an electric car in winter?",
    "Why do old stone bridges last longer than many new ones?",
    "What makes some soils store more water than others?",
    "How do libraries decide which books to keep?",
  ],
  stages: [
    { id: "plan", agent: "planner", after: [], prompt: (wish) => `Question: ${wish}` },
    {
      id: "facts",
      agent: "scout",
      after: ["plan"],
      prompt: (wish, answers) => `Question: ${wish}\n\nPlan:\n${from(answers, "plan")}`,
    },
    {
      id: "causes",
      agent: "analyst",
      after: ["plan"],
      prompt: (wish, answers) => `Question: ${wish}\n\nPlan:\n${from(answers, "plan")}`,
    },
    {
      id: "answer",
      agent: "writer",
      after: ["facts", "causes"],
      prompt: (wish, answers) =>
        `Question: ${wish}\n\nFacts:\n${from(answers, "facts")}\n\nReasoning:\n${from(answers, "causes")}`,
    },
  ],
};

export const codeCrew: Crew = {
  workflowId: "code-crew",
  name: "Code crew",
  wishes: [
    "Count the words in a text file and show the ten most common ones.",
    "Rename all photos in a folder by the date they were taken.",
    "Show how much space each folder of a disk uses.",
    "Find lines that stand twice in a list of addresses.",
    "Convert a table of distances from miles to kilometres.",
    "Split a long recording's transcript into chapters of equal length.",
  ],
  stages: [
    { id: "design", agent: "architect", after: [], prompt: (wish) => `Wish: ${wish}` },
    {
      id: "code",
      agent: "coder",
      after: ["design"],
      prompt: (wish, answers) => `Wish: ${wish}\n\nDesign:\n${from(answers, "design")}`,
    },
    {
      id: "review",
      agent: "reviewer",
      after: ["code"],
      prompt: (wish, answers) =>
        `Wish: ${wish}\n\nDesign:\n${from(answers, "design")}\n\nCode:\n${from(answers, "code")}`,
    },
  ],
};

export const crews: readonly Crew[] = [researchCrew, codeCrew];
