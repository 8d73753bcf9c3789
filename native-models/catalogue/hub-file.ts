/**
 * Asks Hugging Face where a file is, how long it is and what its sha256 is, without fetching it. A file whose sum the
 * hub does not tell is refused.
 */
import { fetchWithin } from "./fetch-within";
import { ModelProblem } from "./model-problem";

export interface HubFile {
  readonly url: string;
  readonly sha256: string;
  readonly totalBytes: number | null;
}

export interface HubFileName {
  readonly repository: string;
  readonly revision: string;
  readonly fileName: string;
}

export const HUB_URL = "https://huggingface.co";
const REDIRECTS_MAX = 3;

/** Throws `ModelProblem`: unreachable, refused or cancelled. */
export async function lookUpHubFile(
  name: HubFileName,
  options: { readonly hubUrl: string; readonly answerWithinMs: number; readonly signal?: AbortSignal },
): Promise<HubFile> {
  const { hubUrl, ...within } = options;
  let url = fileUrl(hubUrl, name, name.revision);
  for (let redirect = 0; redirect <= REDIRECTS_MAX; redirect++) {
    // The sum is only in the hub's own answer, not in that of the storage it redirects to.
    const { response, stop } = await fetchWithin(url, { ...within, method: "HEAD", redirect: "manual" });
    stop();
    const sha256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(response.headers.get("x-linked-etag") ?? "")?.[1];
    if (sha256 !== undefined) return describe(response, sha256, { hubUrl, name, url });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) throw refused(name, response.status);
    url = new URL(location, url).href;
  }
  throw refused(name, 310);
}

function describe(
  response: Response,
  sha256: string,
  { hubUrl, name, url }: { readonly hubUrl: string; readonly name: HubFileName; readonly url: string },
): HubFile {
  const commit = response.headers.get("x-repo-commit");
  const size = response.headers.get("x-linked-size");
  return {
    url: commit === null ? url : fileUrl(hubUrl, name, commit),
    sha256,
    totalBytes: size === null ? null : Number(size),
  };
}

function fileUrl(hubUrl: string, { repository, fileName }: HubFileName, revision: string): string {
  return `${hubUrl}/${repository}/resolve/${revision}/${fileName}`;
}

function refused({ repository, fileName }: HubFileName, status: number): ModelProblem {
  return new ModelProblem(
    "refused",
    `Hugging Face does not offer ${repository}/${fileName} with a checksum (status ${status}).`,
    "Choose a GGUF file on this machine.",
  );
}
