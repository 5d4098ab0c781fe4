import { bakeoffOptions } from './model-registry-bakeoff.js';
import { diarizationOptions } from './model-registry-diarization.js';
import { methodOptions } from './model-registry-methods.js';
import { summaryOptions } from './model-registry-summary.js';
import { transcriptionOptions } from './model-registry-transcription.js';
import type { ChainName, RegistryStage, StageOption } from './model-registry-types.js';
import type { Tier } from './run-plan.js';

/**
 * Every option of the five stages, with its measured figures (design.md section 7, RFC-106). Profiles are views of this
 * list; a model enters a corpus through an entry here and not otherwise.
 */
export const stageOptions: readonly StageOption[] = [
  ...transcriptionOptions,
  ...diarizationOptions,
  ...summaryOptions,
  ...bakeoffOptions,
  ...methodOptions,
];

const byId: ReadonlyMap<string, StageOption> = new Map(stageOptions.map((option) => [option.optionId, option]));

/** The option of that id, or undefined. */
export function findOption(optionId: string): StageOption | undefined {
  return byId.get(optionId);
}

/** The registry stage whose options a chain may name: GI and KG run on the options of the summary. */
export function optionStageOf(chain: ChainName): RegistryStage {
  return chain === 'gi' || chain === 'kg' ? 'summary' : chain;
}

/** Option ids that may stand in that chain. */
export function optionIdsFor(chain: ChainName): string[] {
  return optionIdsOf(optionStageOf(chain));
}

/** Option ids of a registry stage. */
export function optionIdsOf(stage: RegistryStage): string[] {
  return stageOptions.filter((option) => option.stage === stage).map((option) => option.optionId);
}

/**
 * The option that a bare provider name means, for profiles older than option ids (RFC-106's singular field): the
 * provider's first `primary` option of the stage, else its first that is not deprecated.
 */
export function optionOfProvider(chain: ChainName, provider: string): StageOption | undefined {
  const stage = optionStageOf(chain);
  const candidates = stageOptions.filter((option) => option.stage === stage && option.provider === provider);
  return candidates.find((option) => option.tier === 'primary') ?? candidates.find((o) => o.tier !== 'deprecated');
}

/**
 * One attempt's deadline where the option has none of its own (design.md section 3): whisper 600 s + 20 s a minute of
 * audio, diarization 180 s + 6 s a minute (600 s in reprocess), an LLM call 600 s.
 */
export const stageDeadlines: Readonly<Record<ChainName, Tier['deadline']>> = {
  transcription: { baseSec: 600, perAudioMinuteSec: 20 },
  diarization: { baseSec: 180, perAudioMinuteSec: 6 },
  summary: { baseSec: 600, perAudioMinuteSec: 0 },
  gi: { baseSec: 600, perAudioMinuteSec: 0 },
  kg: { baseSec: 600, perAudioMinuteSec: 0 },
};

export const reprocessDiarizationBaseSec = 600;
