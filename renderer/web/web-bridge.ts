/**
 * Stands in for the preload where the page is shown in a browser: the live data come as server-sent events, commands go as requests,
 * and files are chosen and saved as browsers do it. The same messages and commands as in the window.
 */
import type { CommandResult, PortMessage, TopasBridge } from "../../core/contract/window";
import { chosenFile } from "./chosen-file";

/** How often the server is told how far the page has got. */
const CONFIRM_MS = 30;
const DONE: CommandResult = { ok: true };

const refused = (message: string): CommandResult => ({ ok: false, message });
const lost = "The server does not answer. Is it still running?";

let session = "";

/** Hears every message. A browser connects again by itself, and gets a new snapshot then. */
export function listenToServer(receive: (message: PortMessage) => void): void {
  const source = new EventSource("feed");
  source.addEventListener("session", ({ data }) => {
    session = JSON.parse(data) as string;
  });
  source.addEventListener("live", ({ data }) => receive(JSON.parse(data) as PortMessage));
  source.addEventListener("probe", ({ data }) => {
    const sent = JSON.parse(data) as number;
    const confirm = { session, sent };
    setTimeout(() => void post("confirm", JSON.stringify(confirm)).catch(() => undefined), CONFIRM_MS);
  });
}

export const webBridge: TopasBridge = {
  runDemo: () => command("runDemo"),
  stopDemo: () => command("stopDemo"),
  choosePolicy: (policy) => command("choosePolicy", policy),
  chooseModelFile: async () =>
    refused("A model file is chosen on the machine itself: start the server with --model FILE."),
  loadStarterModel: () => command("loadStarterModel"),
  cancelRequest: (requestId) => command("cancelRequest", requestId),
  pauseQueue: () => command("pauseQueue"),
  resumeQueue: () => command("resumeQueue"),
  moveUp: (requestId) => command("moveUp", requestId),
  undoMoveUp: (requestId) => command("undoMoveUp", requestId),
  pinPrefix: (agent) => command("pinPrefix", agent),
  unpinPrefix: (agent) => command("unpinPrefix", agent),
  inspectDecision: (decision) =>
    answered("inspectDecision", [decision], (message) => ({ kind: "failed", message }) as const),
  async openRecording() {
    const file = await chosenFile(".gz,.jsonl");
    return file === null ? DONE : upload(file);
  },
  openDroppedFile: async (file) => (file instanceof File ? upload(file) : refused("That is not a file.")),
  closeRecording: () => command("closeRecording"),
  saveRecording: async () => download("recording"),
  saveTrace: async () => download(`trace.json?session=${encodeURIComponent(session)}`),
  copyText: (text) =>
    navigator.clipboard.writeText(text).then(
      () => DONE,
      () => refused("The browser does not let this page copy."),
    ),
  restartEngine: () => command("restartEngine"),
  readEngineLog: () => answered("readEngineLog", [], (message) => message),
};

function command(name: keyof TopasBridge, ...values: unknown[]): Promise<CommandResult> {
  return answered(name, values, refused);
}

async function answered<Result>(
  name: keyof TopasBridge,
  values: readonly unknown[],
  refusal: (message: string) => Result,
): Promise<Result> {
  try {
    const response = await post(`commands/${name}`, JSON.stringify({ session, arguments: values }));
    return response.ok ? ((await response.json()) as Result) : refusal(await messageOf(response));
  } catch {
    return refusal(lost);
  }
}

async function upload(file: File): Promise<CommandResult> {
  const query = new URLSearchParams({ session, name: file.name });
  try {
    const response = await post(`recordings?${query}`, file, "application/octet-stream");
    return response.ok ? ((await response.json()) as CommandResult) : refused(await messageOf(response));
  } catch {
    return refused(lost);
  }
}

function post(path: string, body: BodyInit, type = "application/json"): Promise<Response> {
  return fetch(path, { method: "POST", body, headers: { "content-type": type } });
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { message, error } = JSON.parse(text) as { message?: string; error?: { message?: string } };
    return message ?? error?.message ?? text;
  } catch {
    return text;
  }
}

/** The server names the file; the browser asks where to put it, or does not. */
function download(address: string): CommandResult {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
  return DONE;
}
