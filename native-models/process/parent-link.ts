/** The engine process's line to its owner, the same for Electron's utilityProcess and Node's child_process. */
export interface ParentLink {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The owner hung up or died. */
  onGone(listener: () => void): void;
}

/** What Electron puts on `process` inside a utilityProcess. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { readonly data: unknown }) => void): void;
  on(event: "close", listener: () => void): void;
}

export function openParentLink(): ParentLink {
  const { parentPort } = process as unknown as { readonly parentPort?: ParentPort };
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on("message", ({ data }) => listener(data)),
      onGone: (listener) => parentPort.on("close", listener),
    };
  }
  if (!process.send) {
    throw new Error(
      "The engine is a part of TOPAS Desktop and is started by it; to start the server run: npm run serve",
    );
  }
  return {
    send: (message) => process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => process.on("message", listener),
    onGone: (listener) => process.on("disconnect", listener),
  };
}
