import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createPreflight } from '../../activities/plan/preflight.js';
import { createProviderClients } from '../../activities/providers/index.js';
import type { Activities } from '../../activities/index.js';
import type { Rig } from '../support/rig.js';
import type { Script } from '../support/stub/script.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { refusalOf, stageOf, workCalls } from './support.js';

const impostor = 'impostor-7b';
const preflight = createPreflight({ clients: createProviderClients(), apiKey: () => undefined });
const withPreflight = (activities: Activities): Activities => ({
  ...activities,
  main: { ...activities.main, preflight },
});

/** The text of every file below the corpus, whoever reads it. */
async function corpusText(rig: Rig): Promise<string> {
  const entries = await readdir(rig.corpusDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.wav'));
  const texts = await Promise.all(files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')));
  return texts.join('\n');
}

describe('a service that serves another model than the chosen one', () => {
  const sites = timeSkippingSites();

  async function site(): Promise<Rig> {
    const plan = planOf('hold', [asr(), llm('summarize')]);
    return sites.start({
      episodes: 2,
      stub: { asr: { ...speaches, wrongModel: impostor }, llm: { ...vllm, wrongModel: impostor } },
      plan,
      change: withPreflight,
    });
  }

  it.each([
    ['asr', 'large-v3'],
    ['llm', 'qwen3'],
  ])('is refused before the first episode, with both names (%s)', async (endpointId, chosen) => {
    const rig = await site();
    rig.stub.endpoint(endpointId).script({ models: 'wrong-model' });
    await rig.startBatch('b');
    await sites.temporal.sleep(minuteMs);
    const { type, message } = await refusalOf(rig, 'b');
    expect(type).toBe('Misconfigured');
    expect(message).toContain(`expected model "${chosen}", the server serves "${impostor}"`);
    expect(workCalls(rig)).toEqual({ asr: 0, llm: 0 });
    expect(await readdir(path.join(rig.corpusDir, 'feed')).catch(() => [])).toEqual([]);
  });

  /** Another model from the `n`-th answer on (`asr` is asked for its list at the start, and around each call). */
  const later: Readonly<Record<string, Script>> = {
    asr: {
      rules: [
        { when: { kind: 'models' }, mode: 'ok', times: 3 },
        { when: { kind: 'models' }, mode: 'wrong-model' },
      ],
    },
    llm: { steps: [{ mode: 'ok' }], default: 'wrong-model' },
  };

  it.each([
    ['asr', 'large-v3', 'transcribe'],
    ['llm', 'qwen3', 'summarize'],
  ] as const)(
    'is named on its first answer when it changes later, and nothing of it is kept (%s)',
    async (endpointId, chosen, stage) => {
      const rig = await site();
      const service = rig.stub.endpoint(endpointId);
      service.script(later[endpointId] ?? {});
      await rig.startBatch('b', { window: 1 });
      await sites.temporal.sleep(5 * minuteMs);
      const status = await rig.batchStatus('b');
      expect(status).toMatchObject({ state: 'halted', done: 1, failed: 0 });
      expect(status.halts[0]?.reason).toContain(`asked for model ${chosen}, served is ${impostor}`);
      expect(await corpusText(rig)).not.toContain(impostor);
      service.script({});
      await rig.signalBatch('b', 'resume');
      await sites.temporal.sleep(5 * minuteMs);
      expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 2 });
      expect((await stageOf(rig, stage, 1)).modelReported).toBe(chosen);
    },
  );
});
