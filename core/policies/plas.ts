/** Autellix PLAS: a program is charged the service of all its earlier calls, one after the other. It needs to know no workflow. */
import { leastServed } from "./least-served";

export const plas = leastServed("plas", (_, task) => task.servedMs, "its program has been served less so far");
