/** Types of find-electron.mjs, for tests. */
export const PROJECT_FOLDER: string;
export const TEST_ELECTRON_VERSION: string;
export const TEST_ELECTRON_FOLDER: string;
export function findOwnElectron(): string | null;
export function findTestElectron(): string | null;
