/** A model file that can be loaded, and what goes wrong with the wish for one. */
export interface KnownModel {
  readonly modelId: string;
  readonly modelPath: string;
  readonly noiseModel: boolean;
  /** Null while nobody has looked. */
  readonly fileBytes: number | null;
}

export class TooManyWait extends Error {
  override readonly name = "TooManyWait";
}

export class ModelNotLoadable extends Error {
  override readonly name = "ModelNotLoadable";
}

export function isSame(one: KnownModel, other: KnownModel | null | undefined): boolean {
  return one.modelPath === other?.modelPath;
}
