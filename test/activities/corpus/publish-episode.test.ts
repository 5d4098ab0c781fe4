import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishEpisode } from '../../../activities/corpus/publish-episode.js';
import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';
import { sha256Of } from '../../../activities/store/digest.js';
import type { EpisodeRecord } from '../../../src/episode-record.js';
import { episodeRecordSchema } from '../../../src/episode-record.js';
import { audioSha256, publish, publishInput } from '../../support/published-episode.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const allFiles = [
  'diarization.rttm',
  'episode.json',
  'graph.kg.json',
  'insights.gi.json',
  'summary.json',
  'transcript.json',
  'transcript.srt',
  'transcript.vtt',
];

describe('publishEpisode', () => {
  const corpus = useTemporaryDirectory();
  const inEpisode = (name = ''): string => path.join(corpus(), 'show-abc123', 'e1', name);
  const record = async (): Promise<EpisodeRecord> =>
    episodeRecordSchema.parse(JSON.parse(await readFile(inEpisode('episode.json'), 'utf8')));

  it('writes the readable files and a record that names each by its digest', async () => {
    await publish(createFileArtifactStore(corpus()));

    expect((await readdir(inEpisode())).sort()).toEqual(allFiles);
    const { files, ...rest } = await record();
    const summary = await readFile(inEpisode('summary.json'));
    expect(files['summary.json']).toEqual({ sha256: sha256Of(summary), bytes: summary.length });
    expect(Object.keys(files)).toHaveLength(7);
    expect(rest).toMatchObject({ episodeId: 'e1', state: 'done', batchId: 'batch-1', audio: { sha256: audioSha256 } });
    expect(rest.stages[0]).toMatchObject({ stage: 'transcribe', provenance: { optionId: 'transcribe-option' } });
  });

  it('shows neither the address of the audio nor its path on this machine', async () => {
    await publish(createFileArtifactStore(corpus()));

    expect(await readFile(inEpisode('episode.json'), 'utf8')).not.toMatch(/secret|x\.example|\/home\/me/);
  });

  it('gives the same files when it is repeated', async () => {
    const store = createFileArtifactStore(corpus());
    await publish(store);
    const before = await readFile(inEpisode('episode.json'), 'utf8');

    await publish(store);

    expect(await readFile(inEpisode('episode.json'), 'utf8')).toBe(before);
  });

  it('writes what a failed episode has finished, where no completed one stands', async () => {
    await publish(createFileArtifactStore(corpus()), { state: 'failed', stages: ['transcribe'] });

    expect((await readdir(inEpisode())).sort()).toEqual([
      'episode.json',
      'transcript.json',
      'transcript.srt',
      'transcript.vtt',
    ]);
    expect(await record()).toMatchObject({ state: 'failed', reason: 'The endpoint rejected the audio.' });
  });

  it('never replaces a completed episode by a failed one', async () => {
    const store = createFileArtifactStore(corpus());
    await publish(store);

    const failed = await publishInput(store, { state: 'failed', batchId: 'batch-2', text: 'other' });
    const answer = await publishEpisode(store, failed);

    expect(answer).toEqual({ published: false, directory: 'show-abc123/e1' });
    expect(await record()).toMatchObject({ state: 'done', batchId: 'batch-1' });
    expect(await readFile(inEpisode('summary.json'), 'utf8')).not.toContain('other');
  });

  it('replaces an episode wholly: no file of the run before stays', async () => {
    const store = createFileArtifactStore(corpus());
    await publish(store);

    await publish(store, { batchId: 'batch-2', stages: ['transcribe', 'diarize'], text: 'new' });

    expect(await readdir(inEpisode())).not.toContain('summary.json');
    expect(await readFile(inEpisode('transcript.vtt'), 'utf8')).toContain('new');
    expect((await record()).batchId).toBe('batch-2');
  });

  it('removes what a killed attempt left half-written, and nothing that is not its own', async () => {
    await mkdir(inEpisode(), { recursive: true });
    await writeFile(inEpisode('summary.json.123.tmp'), 'half');
    await utimes(inEpisode('summary.json.123.tmp'), 0, 0);
    await writeFile(inEpisode('notes.txt'), 'mine');

    await publish(createFileArtifactStore(corpus()));

    expect((await readdir(inEpisode())).sort()).toEqual([...allFiles, 'notes.txt'].sort());
  });

  it('replaces a record that is damaged', async () => {
    await mkdir(inEpisode(), { recursive: true });
    await writeFile(inEpisode('episode.json'), '{"state": "done"');

    await publish(createFileArtifactStore(corpus()), { state: 'failed', stages: [] });

    expect((await record()).state).toBe('failed');
  });

  it('leaves one batch whole where two publish an episode at the same time', async () => {
    const store = createFileArtifactStore(corpus());
    const publishing = ['batch-1', 'batch-2'].map((batchId) => publish(store, { batchId, text: `By ${batchId}.` }));
    await Promise.all([...publishing, publish(store, { batchId: 'batch-3', stages: ['transcribe'], text: 'Short.' })]);

    const { files, batchId } = await record();
    const digests = Object.keys(files).map(async (name) => [name, sha256Of(await readFile(inEpisode(name)))]);
    expect(Object.fromEntries(await Promise.all(digests))).toEqual(
      Object.fromEntries(Object.entries(files).map(([name, { sha256 }]) => [name, sha256])),
    );
    expect(await readFile(inEpisode('transcript.vtt'), 'utf8')).toContain(
      batchId === 'batch-3' ? 'Short.' : `By ${batchId}.`,
    );
  });

  it('writes no record when an artifact is missing', async () => {
    const store = createFileArtifactStore(corpus());
    const input = await publishInput(store);
    const ref = input.records[4]?.blobs['graph.kg.json'];
    await writeFile(path.join(corpus(), ref?.uri ?? ''), 'damaged');

    await expect(publishEpisode(store, input)).rejects.toMatchObject({ name: 'StoreError', code: 'DAMAGED' });
    expect(await readdir(inEpisode())).not.toContain('episode.json');
  });
});
