/** Where to point agents, as each kind of client writes it, and what the server has done so far. */
import { CopyButton } from "../drawing/copy-button";
import { ServerUrl } from "../drawing/server-url";
import { useLive } from "../store/live-context";
import { count } from "../words/figures";
import { Facts, PageFrame, PageSection } from "./page-parts";

export function ServerPage() {
  const url = useLive(({ status }) => status.url);
  const problem = useLive(({ status }) => status.serverProblem);
  return (
    <PageFrame title="Server">
      <PageSection title="Point your agents here">
        <div className="flex items-center gap-4 py-3 text-12">
          <ServerUrl url={url} />
          {problem !== null && <p role="alert">{problem}</p>}
        </div>
        {url !== null && <Examples url={url} />}
      </PageSection>
      <PageSection title="Since the start">
        <Totals />
      </PageSection>
    </PageFrame>
  );
}

function Examples({ url }: { readonly url: string }) {
  const root = url.replace(/\/v1$/, "");
  const examples: readonly (readonly [string, string])[] = [
    ["OpenAI's clients", `OPENAI_BASE_URL=${url} OPENAI_API_KEY=none`],
    ["Anthropic's clients", `ANTHROPIC_BASE_URL=${root} ANTHROPIC_API_KEY=none`],
    ["A workflow's agent, by address alone", `${root}/w/<workflow>/a/<agent>/v1`],
    ["All routes, as a page", `${root}/docs`],
  ];
  return (
    <Facts
      facts={examples.map(([what, text]) => [
        what,
        <span key={what} className="flex items-center gap-2">
          <code className="min-w-0 break-all">{text}</code>
          <CopyButton text={text} what={what} />
        </span>,
      ])}
    />
  );
}

function Totals() {
  const totals = useLive(({ view }) => view.totals);
  return (
    <Facts
      facts={[
        ["Requests finished", count(totals.finishedRequests)],
        ["Cancelled, failed", `${count(totals.cancelledRequests)}, ${count(totals.failedRequests)}`],
        ["Prompt tokens", count(totals.promptTokens)],
        ["Found in a slot", count(totals.reusedTokens)],
        ["Copied from another slot", count(totals.forkedTokens)],
        ["Computed", count(totals.computedTokens)],
        ["Generated tokens", count(totals.generatedTokens)],
        ["Decisions", count(totals.decisions)],
      ]}
    />
  );
}
