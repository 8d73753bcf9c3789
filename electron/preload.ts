/**
 * Offers the page exactly the functions of `TopasBridge` and hands it the live port. It must never hand over
 * `ipcRenderer` or an event of it, nor decide anything.
 */
import { contextBridge, ipcRenderer, webUtils } from "electron";
import { PORT_MESSAGE, type TopasBridge } from "../core/contract/window";
import { type CommandName, commandChannel, PORT_CHANNEL, PROBE_CHANNEL } from "./ipc/channels";

/** The two things of the page's world that are used here; the shell is compiled without the DOM's types. */
declare const window: { postMessage(message: unknown, targetOrigin: string, transfer: readonly unknown[]): void };
declare const location: { readonly origin: string };

const invoke = (name: CommandName, ...values: unknown[]) => ipcRenderer.invoke(commandChannel(name), ...values);

const bridge: TopasBridge = {
  runDemo: () => invoke("runDemo"),
  stopDemo: () => invoke("stopDemo"),
  choosePolicy: (policy) => invoke("choosePolicy", policy),
  chooseModelFile: () => invoke("chooseModelFile"),
  loadStarterModel: () => invoke("loadStarterModel"),
  cancelRequest: (requestId) => invoke("cancelRequest", requestId),
  pauseQueue: () => invoke("pauseQueue"),
  resumeQueue: () => invoke("resumeQueue"),
  moveUp: (requestId) => invoke("moveUp", requestId),
  undoMoveUp: (requestId) => invoke("undoMoveUp", requestId),
  pinPrefix: (agent) => invoke("pinPrefix", agent),
  unpinPrefix: (agent) => invoke("unpinPrefix", agent),
  inspectDecision: (decision) => invoke("inspectDecision", decision),
  openRecording: () => invoke("openRecording"),
  // Only here can a path be had of a file; the page never sees it.
  openDroppedFile: (file) => invoke("openDroppedFile", webUtils.getPathForFile(file as File)),
  closeRecording: () => invoke("closeRecording"),
  saveRecording: () => invoke("saveRecording"),
  saveTrace: () => invoke("saveTrace"),
  copyText: (text) => invoke("copyText", text),
  restartEngine: () => invoke("restartEngine"),
  readEngineLog: () => invoke("readEngineLog"),
};

contextBridge.exposeInMainWorld("topas", bridge);

ipcRenderer.on(PORT_CHANNEL, (event) => window.postMessage(PORT_MESSAGE, location.origin, event.ports));
ipcRenderer.on(PROBE_CHANNEL, (_event, sent: number) => ipcRenderer.send(PROBE_CHANNEL, sent));
