/** Types of unzip.mjs, for tests. */
export function unzip(archive: string, folder: string, place?: (name: string) => string | null): Promise<void>;
