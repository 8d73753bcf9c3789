/** Cases about prompts and slots that do not fit. */
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../bench/served";
import { type Case, roundedMs, together } from "./case";
import { CaseServer } from "./case-server";
import { paragraph, system, type Tag, user } from "./words";

export const memoryCases: readonly Case[] = [
  {
    id: "D32",
    title: "too long a prompt is refused with both numbers",
    async run(server) {
      const messages = [system("Codeword mistop."), user(paragraph("zorvik", 3000))];
      const { status, error } = await server.chat({ messages });
      const body = error ? JSON.parse(error).error : {};
      return {
        passed:
          status === 400 &&
          body.code === "context_length_exceeded" &&
          body.n_ctx === 2048 &&
          body.message.includes("2048") &&
          body.message.includes(String(body.n_prompt_tokens)),
        figures: { status, body },
      };
    },
  },
  {
    id: "D35",
    title: "three large prompts at once are all answered",
    async run(server) {
      const call = (tag: Tag) => () => server.chat({ messages: [user(paragraph(tag, 1400))], maxTokens: 40 });
      const results = await together([0, call("zorvik")], [0, call("quellam")], [0, call("brantoc")]);
      return {
        passed: results.every(({ status, text, finish }) => status === 200 && text !== "" && finish !== null),
        figures: {
          finishes: results.map(({ finish }) => finish),
          characters: results.map(({ text }) => text.length),
          ttftMs: results.map(({ ttftMs }) => roundedMs(ttftMs)),
        },
        requestIds: results.map(({ requestId }) => requestId),
      };
    },
  },
  {
    id: "D36",
    title: "more tokens asked for than there is room: answered to the end of the slot",
    setting: { context: 128 },
    async run(server) {
      const messages = [user(`Write out this row, as far as you can: ${paragraph("zorvik", 75)}`)];
      const result = await server.chat({ messages, maxTokens: 100_000 });
      const total = (result.usage?.prompt_tokens ?? 0) + (result.usage?.completion_tokens ?? 0);
      return {
        passed:
          result.status === 200 &&
          (result.finish === "length" ? total >= 127 && total <= 129 : result.finish === "stop"),
        figures: { status: result.status, finish: result.finish, totalTokens: total, error: result.error },
      };
    },
  },
  {
    id: "D37",
    title: "more slots and context than memory: refused with numbers before loading",
    async run(_server, { launch }) {
      const server = CaseServer.spawn({ ...launch, port: await freePort(), slots: 64, context: 1_048_576 });
      await new Promise((resolve) => server.process.once("close", resolve));
      return {
        passed: server.process.exitCode === 1 && /\d/.test(server.printed) && /--(context|slots)/.test(server.printed),
        figures: {
          exitCode: server.process.exitCode,
          freeBytes: freemem(),
          printed: server.printed.trim().split("\n").at(-1),
        },
      };
    },
  },
  {
    id: "no-model",
    title: "a model file that is not there ends the start in one line",
    async run(_server, { launch }) {
      const model = join(tmpdir(), "there-is-no-such-model.gguf");
      const server = CaseServer.spawn({ ...launch, port: await freePort(), model });
      await new Promise((resolve) => server.process.once("close", resolve));
      return {
        passed: server.process.exitCode === 1 && server.printed.includes(model),
        figures: { exitCode: server.process.exitCode, printed: server.printed.trim() },
      };
    },
  },
];
