import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { prepareAudio } from '../../../activities/audio/prepare-audio.js';
import { listEpisodes } from '../../../activities/feed/list-episodes.js';
import { sha256Of } from '../../../activities/store/digest.js';
import { serve, useLoopbackServer } from '../../support/loopback-server.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';
import { ffmpegPath } from '../../support/tone.js';

const shared = path.join(__dirname, '..', '..', '..', '..', 'shared', 'data');
const present = existsSync(shared);

(present ? describe : describe.skip)(`prepareAudio over shared/data${present ? '' : ' (skipped: not there)'}`, () => {
  const corpusDir = useTemporaryDirectory();
  const server = useLoopbackServer();

  it('is there for two of the six edge cases, and each of the others says why not', async () => {
    server.routes.set('/feed.xml', serve(await readFile(path.join(shared, 'feeds', 'p06_edge_cases.xml'))));
    for (const name of ['p06_e05.mp3', 'p06_e06.mp3']) {
      server.routes.set(`/audio/${name}`, serve(await readFile(path.join(shared, 'audio', name))));
    }
    const cancellation = new AbortController().signal;
    const options = { corpusDir: corpusDir(), ffmpegPath: await ffmpegPath(), cancellation };

    const outcomes: string[] = [];
    for (const episode of await listEpisodes({ feed: server.url('/feed.xml') }, {}, { cancellation })) {
      const input = { episode, documentSha256: sha256Of(JSON.stringify(episode)) };
      const outcome = await prepareAudio(input, options).then(
        ({ durationSec }) => `${episode.episodeId}: ${Math.round(durationSec)} s`,
        (error: unknown) => String(error).replace(server.url(''), ''),
      );
      outcomes.push(outcome);
    }

    expect(outcomes).toEqual([
      ...[1, 2, 3, 4].map((n) => `SourceError: /…/p06_e0${n}.mp3 answered 404 (dead link); expected 200.`),
      'p06_e05: 10 s',
      'p06_e06: 15 s',
    ]);
  });
});
