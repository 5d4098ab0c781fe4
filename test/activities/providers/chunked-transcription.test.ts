import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileChunkStore, memoryChunkStore, type ChunkStore } from '../../../activities/providers/chunk-store.js';
import type { ChunkTools } from '../../../activities/providers/chunked-transcription.js';
import { ffmpegChunks } from '../../../activities/providers/ffmpeg-chunks.js';
import { createProviderClients } from '../../../activities/providers/index.js';
import { chunkWindows, mergeChunks } from '../../../activities/providers/merge-chunks.js';
import type { Segment } from '../../../src/transcript.js';
import { setupContext } from '../../../setup/context.js';
import { resolveFfmpeg } from '../../../setup/ffmpeg.js';
import { failureOf, options, play, wavFile } from './support.js';

/** Every window of the chunker becomes a WAV file of its own. */
const wavCuts: Pick<ChunkTools, 'cut'> = {
  cut: (_audio, { window }, use) => use(wavFile(window.endSec - window.startSec, Math.round(window.startSec) % 256)),
};

describe('chunkWindows', () => {
  it('leaves alone what fits', () => {
    expect(chunkWindows({ bytes: 1000, durationSec: 1400 }, { maxDurationSec: 1500 })).toEqual([
      { startSec: 0, endSec: 1400 },
    ]);
  });

  it('cuts an hour for MOSS into windows of 1,425 s that overlap by 5 s', () => {
    expect(chunkWindows({ bytes: 1, durationSec: 3600 }, { maxDurationSec: 1500 })).toEqual([
      { startSec: 0, endSec: 1425 },
      { startSec: 1420, endSec: 2845 },
      { startSec: 2840, endSec: 3600 },
    ]);
  });

  it('covers the audio within the limits, each window overlapping the next, or says that it cannot', () => {
    const file = fc.record({
      bytes: fc.integer({ min: 1e5, max: 2e9 }),
      durationSec: fc.integer({ min: 10, max: 40_000 }),
    });
    const limits = fc.record({
      maxBytes: fc.option(fc.integer({ min: 5e6, max: 3e7 }), { nil: undefined }),
      maxDurationSec: fc.option(fc.integer({ min: 60, max: 2000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(file, limits, (audio, limit) => {
        const windows = chunkWindows(audio, limit) ?? [];
        fc.pre(windows.length > 0);
        expect(windows[0]?.startSec).toBe(0);
        expect(windows.at(-1)?.endSec).toBe(audio.durationSec);
        for (const [index, { startSec, endSec }] of windows.entries()) {
          expect(endSec - startSec).toBeLessThanOrEqual(limit.maxDurationSec ?? Infinity);
          const bytes = (audio.bytes * (endSec - startSec)) / audio.durationSec;
          expect(bytes).toBeLessThan(limit.maxBytes ?? Infinity);
          const next = windows[index + 1];
          expect(next === undefined || next.startSec < endSec).toBe(true);
        }
      }),
    );
  });
});

describe('mergeChunks', () => {
  const segment = (startSec: number, endSec: number, text: string): Segment => ({ startSec, endSec, text });
  const withWords = (startSec: number, texts: string[]): Segment => ({
    startSec,
    endSec: startSec + texts.length,
    text: texts.join(' '),
    words: texts.map((text, index) => ({ startSec: startSec + index, endSec: startSec + index + 1, text })),
  });
  const merge = (first: Segment[], second: Segment[], atSec: number) =>
    mergeChunks(
      [
        { window: { startSec: 0, endSec: 100 }, transcript: { durationSec: 100, segments: first } },
        { window: { startSec: atSec, endSec: 200 }, transcript: { durationSec: 100, segments: second } },
      ],
      200,
    ).segments;

  it('moves the times of each window to the whole', () => {
    expect(merge([segment(0, 95, 'one')], [segment(1, 20, 'two')], 95)).toEqual([
      segment(0, 95, 'one'),
      segment(96, 115, 'two'),
    ]);
  });

  it('leaves out what was said already, by the times of words', () => {
    const words = (from: number, count: number) => Array.from({ length: count }, (_, index) => `w${from + index}`);
    const merged = merge([withWords(0, words(0, 100))], [withWords(0, words(95, 50))], 95);
    expect(merged.map(({ text }) => text).join(' ')).toBe(words(0, 145).join(' '));
  });

  it('leaves out what was said already, by the words at the seam', () => {
    const merged = merge(
      [segment(0, 90, 'first part'), segment(90, 100, 'and then we built the bridge')],
      [segment(0, 5, 'we built'), segment(2, 12, 'built the bridge, over the river')],
      95,
    );
    expect(merged.map(({ text }) => text)).toEqual(['first part', 'and then we built the bridge', 'over the river']);
  });

  it('never goes backwards in time', () => {
    const spans = fc.array(fc.tuple(fc.nat(100), fc.nat(20)), { maxLength: 20 });
    const segments = spans.map((list) =>
      list
        .map(([start, length], index) => segment(start, start + length, `said ${index} ${start}`))
        .sort((a, b) => a.startSec - b.startSec),
    );
    fc.assert(
      fc.property(segments, segments, (first, second) => {
        for (const { startSec, endSec } of merge(first, second, 95)) expect(endSec).toBeGreaterThanOrEqual(startSec);
      }),
    );
  });
});

describe('chunkedTranscription', () => {
  const long = { ...wavFile(1), durationSec: 3600 };

  it('sends long audio in windows, one after the other, and merges them without speakers', async () => {
    const { stub, endpoint, service } = await play('moss');
    const answer = await createProviderClients(wavCuts).moss.transcribe?.(long, service, options());
    expect(endpoint.counters).toMatchObject({ workCalls: 3, maxInFlight: 1 });
    expect(answer).toMatchObject({ calls: 3, modelReported: service.model });
    expect(answer?.diarization).toBeUndefined();
    expect(answer?.transcript.segments.at(-1)?.endSec).toBeCloseTo(3600, 0);
    await stub.close();
  });

  it.each<[string, () => ChunkStore]>([
    ['memory', memoryChunkStore],
    ['files', () => fileChunkStore(mkdtempSync(path.join(tmpdir(), 'holdfast-chunks-')))],
  ])(
    'sends only what is missing after a failure, with chunks kept in %s, and keeps nothing at the end',
    async (_name, store) => {
      const { stub, endpoint, service } = await play('moss');
      const { moss } = createProviderClients({ ...wavCuts, store: store() });
      endpoint.script({ steps: [{ mode: 'ok', times: 2 }, { mode: 'plain500' }] });
      expect((await failureOf(moss.transcribe?.(long, service, options()) ?? Promise.resolve())).type).toBe(
        'EndpointUnavailable',
      );
      expect(await moss.transcribe?.(long, service, options())).toMatchObject({ calls: 1 });
      expect(endpoint.counters.workCalls).toBe(4);
      expect(await moss.transcribe?.(long, service, options())).toMatchObject({ calls: 3 });
      await stub.close();
    },
  );

  it('holds to one deadline over all chunks', async () => {
    const { stub, service } = await play('moss', { serviceMs: 400 });
    const call = createProviderClients(wavCuts).moss.transcribe?.(long, service, options({ deadlineMs: 900 }));
    expect(await failureOf(call ?? Promise.resolve())).toMatchObject({
      type: 'EndpointUnavailable',
      hardTimeout: true,
    });
    await stub.close();
  });

  it('refuses long audio clearly where it cannot be cut', async () => {
    const { stub, endpoint, service } = await play('moss');
    const noTools = createProviderClients().moss.transcribe?.(long, service, options());
    expect((await failureOf(noTools ?? Promise.resolve())).details.code).toBe('audio_too_long');
    const noFfmpeg = createProviderClients(ffmpegChunks('/nowhere/ffmpeg')).moss.transcribe?.(long, service, options());
    expect(await failureOf(noFfmpeg ?? Promise.resolve())).toMatchObject({
      type: 'ContentRejected',
      details: { code: 'not_cut' },
    });
    expect(endpoint.calls).toEqual([]);
    await stub.close();
  });
});

describe('fileChunkStore', () => {
  it('takes a damaged file for absent', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-chunks-'));
    const store = fileChunkStore(folder);
    const transcript = { durationSec: 1, segments: [] };
    await store.put('key', { transcript, modelReported: 'm', modelReportedBy: 'answer', calls: 1 });
    expect(await store.get('key')).toMatchObject({ modelReported: 'm' });
    const [file = ''] = await readdir(folder);
    await writeFile(path.join(folder, file), '{"transcript":');
    expect(await store.get('key')).toBeUndefined();
  });
});

describe('ffmpegChunks', () => {
  it('cuts a window out of real audio, the same bytes every time, and removes it', async () => {
    const { path: ffmpegPath } = await resolveFfmpeg(setupContext());
    const audio = wavFile(20, 7);
    const cut = async () => {
      const window = { startSec: 5, endSec: 12 };
      let file = '';
      const digest = await ffmpegChunks(ffmpegPath).cut(
        audio,
        { window, signal: options().cancellation },
        async (chunk) => {
          file = chunk.path;
          expect(chunk).toMatchObject({ durationSec: 7, format: 'mp3' });
          return createHash('sha256')
            .update(await readFile(chunk.path))
            .digest('hex');
        },
      );
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
      return digest;
    };
    expect(await cut()).toBe(await cut());
  });
});
