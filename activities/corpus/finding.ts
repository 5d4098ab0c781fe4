/** Something in a corpus that is not as it should be, or not as the plan says. */
export interface Finding {
  /** `<feed>/<episode>`. */
  readonly episode: string;
  /** Name of the published file, where it is about one. */
  readonly file?: string;
  readonly code: FindingCode;
  /** One readable line, without the episode's name, and without any of its text. */
  readonly message: string;
}

export type FindingCode =
  /** `episode.json` missing, damaged, or of another episode. */
  | 'record'
  /** A listed file is missing, is not the bytes it was, or a file is there that nobody lists. */
  | 'file'
  /** A file does not satisfy its format, schema or the grounding contract. */
  | 'format'
  /** A stage that should have left an artifact has not. */
  | 'stage-missing'
  /** Made by another option, endpoint or model than planned. */
  | 'unplanned'
  /** Not the same model as the rest of its batch under hold. */
  | 'mixed-models'
  | 'posture'
  /** A reprocess took another batch's artifact. */
  | 'cache-hit'
  /** Made from another audio file or another episode's document. */
  | 'input'
  /** The batch says done, the corpus does not. */
  | 'outcome';
