/** A client on the bare socket: sees every byte as it comes and can hang up at any moment. */
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export class RawClient {
  received = "";
  closed = false;
  #listeners: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    const changed = () => {
      const listeners = this.#listeners;
      this.#listeners = [];
      for (const listener of listeners) listener();
    };
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      this.received += text;
      changed();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.closed = true;
      changed();
    });
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, "127.0.0.1");
    const client = new RawClient(socket);
    onTestFinished(() => client.hangUp());
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return client;
  }

  static async post(port: number, path: string, body: unknown, headers: readonly string[] = []): Promise<RawClient> {
    const client = await RawClient.open(port);
    const text = JSON.stringify(body);
    const head = [
      "Host: localhost",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      ...headers,
    ];
    client.send(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${text}`);
    return client;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  hangUp(): void {
    this.socket.destroy();
  }

  async when(is: (received: string) => boolean): Promise<string> {
    while (!is(this.received)) {
      if (this.closed) throw new Error(`The connection was closed after: ${this.received}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
    return this.received;
  }

  async whenClosed(): Promise<string> {
    while (!this.closed) await new Promise<void>((resolve) => this.#listeners.push(resolve));
    return this.received;
  }
}

export function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
