/** Bodies of 64 MiB in the shapes that cost a reader of JSON most: one long text, very many small values, and values in between. */
const bytes = 64 * 1024 * 1024 - 1024;

export const largeBodies: Readonly<Record<string, () => Buffer>> = {
  "one text": () => body({ messages: [{ role: "user", content: "word ".repeat(bytes / 5) }] }),
  "many messages": () => {
    const message = { role: "user", content: "word ".repeat(200) };
    return body({ messages: Array.from({ length: Math.floor(bytes / 1035) }, () => message) });
  },
  "many numbers": () =>
    Buffer.from(`{"model":"default","messages":[{"role":"user","content":"hi"}],"junk":[${"1,".repeat(bytes / 2)}1]}`),
};

function body(fields: object): Buffer {
  return Buffer.from(JSON.stringify({ model: "default", max_tokens: 1, ...fields }));
}
