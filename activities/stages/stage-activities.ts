import type { StageActivities } from '../contracts.js';
import { makeDiarization, makeTranscript } from './speech-stages.js';
import { runStageActivity, type StageDependencies } from './stage-work.js';
import { createTextStages, type OnViolation } from './text-stages.js';

/** The five stages as activities: the same attempt around each, and its own work inside. */
export function createStageActivities(
  deps: StageDependencies & { readonly onViolation: OnViolation },
): StageActivities {
  const text = createTextStages(deps.onViolation);
  return {
    transcribe: (input) => runStageActivity('transcribe', input, { deps, make: makeTranscript }),
    diarize: (input) => runStageActivity('diarize', input, { deps, make: makeDiarization }),
    summarize: (input) => runStageActivity('summarize', input, { deps, make: text.summarize }),
    groundInsights: (input) => runStageActivity('gi', input, { deps, make: text.gi }),
    buildKnowledgeGraph: (input) => runStageActivity('kg', input, { deps, make: text.kg }),
  };
}
