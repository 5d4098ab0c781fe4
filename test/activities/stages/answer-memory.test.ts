import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileAnswerMemory } from '../../../activities/stages/answer-memory.js';
import type { ChatAnswer, ChatRequest } from '../../../activities/providers/provider.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const request: ChatRequest = { system: 's', user: 'u', temperature: 0.3, maxOutputTokens: 10 };
const answer: ChatAnswer = {
  text: '{"title":"T"}',
  finishReason: 'stop',
  inputTokens: 7,
  modelReported: 'm',
  modelReportedBy: 'answer',
  calls: 1,
};

describe('fileAnswerMemory', () => {
  const directory = useTemporaryDirectory();
  const place = (): { corpusDir: string; batchId: string } => ({ corpusDir: directory(), batchId: 'b1' });

  it('has an answer for the very same request, stage and batch only', async () => {
    await fileAnswerMemory(place(), 'key').keep(request, answer);
    expect(await fileAnswerMemory(place(), 'key').recall(request)).toEqual(answer);
    expect(await fileAnswerMemory(place(), 'key').recall({ ...request, user: 'v' })).toBeUndefined();
    expect(await fileAnswerMemory(place(), 'other').recall(request)).toBeUndefined();
    expect(await fileAnswerMemory({ ...place(), batchId: 'b2' }, 'key').recall(request)).toBeUndefined();
  });

  it.each(['', '{"text":', '{"text":1}', '[]'])('takes a damaged file for absent (%j)', async (content) => {
    const memory = fileAnswerMemory(place(), 'key');
    await memory.keep(request, answer);
    const files = await readdir(directory(), { recursive: true });
    const file = files.find((name) => name.endsWith('.json')) ?? '';
    await writeFile(path.join(directory(), file), content);
    expect(await memory.recall(request)).toBeUndefined();
  });

  it('forgets all, and does so again without a fault', async () => {
    const memory = fileAnswerMemory(place(), 'key');
    await memory.keep(request, answer);
    await memory.forget();
    await memory.forget();
    expect(await memory.recall(request)).toBeUndefined();
  });
});
