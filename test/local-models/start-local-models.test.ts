import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLocalModels } from '../../local-models/start-local-models.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';
import { looped, silence } from './audio-clips.js';
import { localParts, post, useLocalModels } from './local-models-rig.js';

/** Long enough that a call which is not stopped outlasts the test's own limit. */
const longAudio = (): Promise<Blob> => looped('durable-execution', 25);
const untilItInfersMs = 6000;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100);
}

/** A program that starts the service, says where it is, and is killed before it could stop it. */
const starter = `
  const { startLocalModels } = require('../../local-models/start-local-models.ts');
  const { localParts } = require('./local-models-rig.ts');
  void localParts().then(startLocalModels).then(({ url, pid }) => {
    process.stdout.write(JSON.stringify({ url, pid: pid() }), () => process.kill(process.pid, 'SIGKILL'));
  });
`;

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

describe('startLocalModels', () => {
  describe('a call whose client has gone', () => {
    const service = useLocalModels();
    const fields = { model: 'whisper-tiny.en' };

    it.each(['/v1/audio/transcriptions', '/v1/diarize'])(
      'is stopped, so that the next at %s is served',
      async (route) => {
        const url = `${service().url}${route}`;
        const gone = new AbortController();
        const abandoned = post(url, fields, { file: await longAudio(), signal: gone.signal });
        setTimeout(() => {
          gone.abort();
        }, untilItInfersMs);
        await expect(abandoned).rejects.toThrow('aborted');
        const { status } = await post(url, fields, { file: await silence(2) });
        expect([200, 422]).toContain(status); // 422: nobody speaks
      },
    );

    it('is never begun when it was still waiting its turn', async () => {
      const url = `${service().url}/v1/audio/transcriptions`;
      const first = post(url, fields, { file: await silence(20) });
      const gone = new AbortController();
      const abandoned = post(url, fields, { file: await longAudio(), signal: gone.signal });
      await first;
      gone.abort();
      await expect(abandoned).rejects.toThrow('aborted');
      expect((await post(url, fields, { file: await silence(2) })).status).toBe(200);
    });
  });

  describe('the process of the service', () => {
    it('is started again on the same port when it dies', async () => {
      const reasons: string[] = [];
      const service = await startLocalModels({ ...(await localParts()), onRestart: (reason) => reasons.push(reason) });
      try {
        process.kill(service.pid() ?? 0, 'SIGKILL');
        await until(async () => reasons.length > 0 && (await answers(service.url)));
        const { status } = await post(`${service.url}/v1/diarize`, {}, { file: await silence(2) });
        expect([reasons, status]).toEqual([['SIGKILL'], 422]);
      } finally {
        await service.stop();
      }
    });

    it('is gone after stop', async () => {
      const service = await startLocalModels(await localParts());
      const pid = service.pid() ?? 0;
      await service.stop();
      expect([isRunning(pid), await answers(service.url)]).toEqual([false, false]);
    });

    it('ends when the one who started it is killed', async () => {
      const register = path.join(__dirname, '..', '..', 'bin', 'register.js');
      const running = promisify(execFile)(process.execPath, ['-r', register, '-e', starter], { cwd: __dirname });
      const output = await running.catch((error: unknown) => error as { stdout: string });
      const { pid, url } = JSON.parse(output.stdout) as { pid: number; url: string };
      await until(() => !isRunning(pid));
      expect(await answers(url)).toBe(false);
    });
  });

  describe('a start that fails', () => {
    const directory = useTemporaryDirectory();

    it('says which model could not be loaded', async () => {
      const broken = path.join(directory(), 'ggml-broken.bin');
      fs.writeFileSync(broken, 'no model');
      const started = startLocalModels({ ...(await localParts()), whisperModelPath: broken });
      await expect(started).rejects.toThrow(/Local models did not start \(exit 1\): speech-child ended/);
    });
  });
});
