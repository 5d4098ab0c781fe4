import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { answersDir } from '../../src/corpus-layout.js';
import { safeName } from '../../src/safe-name.js';
import type { ChatAnswer, ChatRequest } from '../providers/provider.js';
import { writeFileAtomically } from '../store/atomic-file.js';
import { sha256Of } from '../store/digest.js';
import type { AnswerMemory } from '../text/model-calls.js';

const answerSchema = z.strictObject({
  text: z.string(),
  finishReason: z.enum(['stop', 'length', 'content-filter', 'other']),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  modelReported: z.string(),
  modelReportedBy: z.enum(['answer', 'models', 'builtin']),
  requestId: z.string().exactOptional(),
  calls: z.number(),
}) satisfies z.ZodType<ChatAnswer>;

/**
 * The answers of one stage by the digest of what was asked, in files, so that they outlive a worker: a retry after the
 * twentieth call's 503 sends one call and not twenty. `stageKey` holds the option and the model, so no answer of one
 * model is ever read for another. Gone once the stage is saved: a reprocess regenerates, it does not replay.
 */
export function fileAnswerMemory(
  place: { readonly corpusDir: string; readonly batchId: string },
  stageKey: string,
): AnswerMemory & { forget(): Promise<void> } {
  const folder = path.join(place.corpusDir, answersDir(safeName(place.batchId, sha256Of), stageKey));
  const fileOf = (request: ChatRequest): string => path.join(folder, `${sha256Of(JSON.stringify(request))}.json`);
  return {
    recall: async (request) => {
      // Damaged or absent: it is asked again.
      const text = await readFile(fileOf(request), 'utf8').catch(() => '');
      return text === '' ? undefined : readAnswer(text);
    },
    keep: (request, answer) => writeFileAtomically(fileOf(request), JSON.stringify(answer)),
    // What is left over is never read again: no reason to fail a stage that is finished.
    forget: () => rm(folder, { recursive: true, force: true }).catch(() => undefined),
  };
}

function readAnswer(text: string): ChatAnswer | undefined {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
