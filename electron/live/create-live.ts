/** Puts the live parts together: supervisor, driver, link to the engine, streams, records and the view. */
import { EngineLost, type EngineOptions, type EnginePort, type StartEngine } from "../../core/contract/engine";
import type { RequestId } from "../../core/contract/ids";
import type { PolicyName } from "../../core/contract/policy-name";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { emptyView } from "../../core/view/fold";
import { foldRecord } from "../../core/view/fold-record";
import { History, viewFolding } from "../../core/view/history";
import type { RequestRecord } from "../../core/view/request-record";
import { toViewEvent, type ViewEvent } from "../../core/view/view-event";
import { createDriver, type Driver } from "./driver";
import { linkEngine } from "./engine-link";
import { type EngineSupervisor, superviseEngine } from "./engine-supervisor";
import { Inspector } from "./inspector";
import type { Live } from "./live";
import { PastLog } from "./past-log";
import { createRequestStreams } from "./request-streams";
import { realTimers, type Timers } from "./timers";

export interface LiveOptions {
  readonly startEngine: StartEngine;
  readonly policy: PolicyName;
  readonly config?: SchedulerConfig;
  readonly timers?: Timers;
}

/** The running server, with what only its owner may do. */
export interface RunningLive extends Live {
  readonly supervisor: EngineSupervisor;
  readonly driver: Driver;
  readonly timers: Timers;
  load(options: EngineOptions): Promise<EnginePort>;
  /** Frees the engine and forgets the model. */
  unload(): Promise<void>;
  onViewEvent(listener: (event: ViewEvent) => void): void;
  /** The engine's phase changed. */
  onEngineChange(listener: () => void): void;
  shutdown(): Promise<void>;
}

export function createLive({
  startEngine,
  policy,
  config = defaultConfig,
  timers = realTimers(),
}: LiveOptions): RunningLive {
  const state = emptyState(policy);
  const driver = createDriver(state, config, timers);
  const records = new Map<RequestId, RequestRecord>();
  const inspector = new Inspector(config, records);
  const streams = createRequestStreams((id) => records.get(id));
  const viewListeners: ((event: ViewEvent) => void)[] = [];
  const engineListeners: (() => void)[] = [];
  const history = new History(emptyView(policy), viewFolding);
  let description: Live["engine"] = null;

  let refusedAct: string | null = null;

  const past = new PastLog();
  driver.onEvent((event) => past.hear(event));
  driver.onInput((input) => inspector.note(input, state));
  driver.onEvent((event) => {
    if (event.kind === "act.refused") refusedAct = event.message;
    foldRecord(records, event);
    const viewEvent = toViewEvent(event);
    history.add(viewEvent);
    for (const listener of viewListeners) listener(viewEvent);
  });
  const link = linkEngine(driver, state);
  driver.onEvent(streams.hear);

  const supervisor = superviseEngine(startEngine, timers, {
    ready(port) {
      description = port.description;
      link.connect(port);
    },
    lost: link.disconnect,
    givenUp: (reason) => driver.feed({ origin: "engine", kind: "engine.given_up", reason }),
    changed() {
      for (const listener of engineListeners) listener();
    },
  });

  /** The engine may be lost before it answers; the next one then does it. */
  async function ask<Value>(question: (port: EnginePort) => Promise<Value>): Promise<Value> {
    for (;;) {
      const port = await supervisor.whenReady();
      try {
        return await question(port);
      } catch (error) {
        if (!(error instanceof EngineLost)) throw error;
        supervisor.reportLost(port, error.message);
      }
    }
  }

  return {
    supervisor,
    driver,
    timers,
    history,
    get engine() {
      return description;
    },
    get health() {
      return healthOf(supervisor);
    },
    get nowMs() {
      return timers.now();
    },
    get view() {
      return history.newest;
    },
    encode: (source) => ask((port) => port.encode(source)),
    tokenize: (text, options) => ask((port) => port.tokenize(text, options)),
    detokenize: (tokens) => ask((port) => port.detokenize(tokens)),
    embed: (inputs, options) => ask((port) => port.embed(inputs, options)),
    checkGrammar: (grammar) => ask((port) => port.checkGrammar(grammar)),
    submit(request, listener) {
      streams.add(request.requestId, listener);
      driver.feed({ origin: "outside", kind: "request.submitted", request });
    },
    cancel: (requestId, reason) => driver.feed({ origin: "outside", kind: "request.cancelled", requestId, reason }),
    declareWorkflow: (workflow) => driver.feed({ origin: "outside", kind: "workflow.declared", workflow }),
    withdrawWorkflow: (workflowId) => driver.feed({ origin: "outside", kind: "workflow.withdrawn", workflowId }),
    choosePolicy: (chosen) => driver.feed({ origin: "outside", kind: "policy.chosen", policy: chosen }),
    act(act) {
      refusedAct = null;
      driver.feed({ origin: "outside", ...act });
      return refusedAct;
    },
    explain: (requestId) => records.get(requestId) ?? null,
    past: {
      requests: () => [...records.values()],
      decisions: past.decisions,
      evictions: past.evictions,
      finding: (requestId) => past.findings.get(requestId) ?? null,
    },
    inspect: (decision) => inspector.inspect(decision),
    load: (options) => supervisor.load(options),
    async unload() {
      await supervisor.unload();
      description = supervisor.port?.description ?? null;
    },
    onViewEvent: (listener) => void viewListeners.push(listener),
    onEngineChange: (listener) => void engineListeners.push(listener),
    shutdown: () => supervisor.shutdown(),
  };
}

function healthOf(supervisor: EngineSupervisor): Live["health"] {
  switch (supervisor.phase.kind) {
    case "none":
      return "no_model";
    case "loading":
      return "loading";
    case "ready":
      return supervisor.isStalled ? "stalled" : "ready";
    case "restarting":
      return "restarting";
    case "given_up":
      return "failed";
  }
}
