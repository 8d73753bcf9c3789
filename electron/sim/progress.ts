/** How far the runs are, on one line of stderr where that can be. */
export interface ProgressCount {
  show(done: number, total: number): void;
  end(): void;
}

export function createProgress(what: string, stream: NodeJS.WriteStream): ProgressCount {
  let isOpen = false;
  return {
    show(done, total) {
      if (!stream.isTTY) return;
      stream.write(`\r\x1b[K${what}: ${done} of ${total}`);
      isOpen = true;
    },
    end() {
      if (isOpen) stream.write("\r\x1b[K");
      isOpen = false;
    },
  };
}
