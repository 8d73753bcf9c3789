/** Why the server cannot listen, in plain words with what to do. */

export class PortInUse extends Error {
  override readonly name = "PortInUse";

  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super(`Port ${port} on ${host} is in use. Close the program that uses it, or choose another one with --port.`);
  }
}

export function listenError(error: unknown, host: string, port: number): Error {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new PortInUse(host, port);
    case "EACCES":
      return new Error(`Port ${port} needs administrator's rights. Choose one above 1023 with --port.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Error(
        `${host} is not an address of this machine. Use --host 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
      );
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}
