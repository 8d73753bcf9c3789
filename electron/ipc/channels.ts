/** Names of the channels between the main process and the preload. The page never sees them. */
import type { TopasBridge } from "../../core/contract/window";

export type CommandName = keyof TopasBridge;

export const commandChannel = (name: CommandName): `topas:${CommandName}` => `topas:${name}`;

/** Main to preload: carries the live port. */
export const PORT_CHANNEL = "topas:port";

/** Main to preload and back with the same number: shows how far the page has got. */
export const PROBE_CHANNEL = "topas:probe";
