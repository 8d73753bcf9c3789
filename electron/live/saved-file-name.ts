/** The name that something of this run is saved under unless the user chooses another. */
export function savedFileName(ending: string): string {
  return `topas-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${ending}`;
}
