import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../support/free-ports.js';
import { holdfast, startInBackground, type Ran } from '../support/holdfast.js';

/** The two shortest of the example feed: everything is real here, the models too. */
const episodes = ['patient-machines-one-graphics-card', 'patient-machines-listener-questions'];

/** Of `--json`, what these tests look at. */
interface PrintedReport {
  readonly episodes: readonly {
    readonly episodeId: string;
    readonly state: string;
    readonly stages: readonly Readonly<Record<string, unknown>>[];
  }[];
}

describe('holdfast quickstart', () => {
  let directory: string;
  let ports: readonly number[];

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'holdfast-quickstart-'));
    ports = await freePorts(3);
    await writeFile(path.join(directory, 'ids.txt'), `${episodes.join('\n')}\n`);
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  function quickstartOf(batchId: string): string[] {
    const [port = 0, uiPort = 0, modelsPort = 0] = ports;
    const place = ['--port', `${port}`, '--ui-port', `${uiPort}`, '--models-port', `${modelsPort}`];
    return ['quickstart', ...place, '--batch-id', batchId, '--only', 'ids.txt'];
  }
  function quickstart(...more: string[]): Promise<Ran> {
    return holdfast([...quickstartOf('try'), ...more], { cwd: directory });
  }

  it('reprocesses the example feed on real models, and says where the corpus is and what it holds', async () => {
    const ran = await quickstart();

    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout).toContain('2 of 2 episodes done');
    expect(ran.stdout).toContain('10 stages executed, 0 reused.');
    expect(ran.stdout).toContain(`Corpus: ${path.join(directory, 'corpus')}`);
    expect(ran.stdout).toMatch(/SPEAKER_00: .*Patient Machines/);
    expect(ran.stdout).toContain('--batch-id try');
  }, 400_000);

  it('leaves a transcript that names its speakers, and passes verify', async () => {
    const feed = path.join(directory, 'corpus', 'patient-machines-b7a749');
    const captions = await readFile(path.join(feed, 'patient-machines-one-graphics-card', 'transcript.vtt'), 'utf8');
    const verified = await holdfast(['verify', 'corpus'], { cwd: directory });

    expect(captions).toMatch(/^WEBVTT[\s\S]*graphics card/);
    expect(verified).toMatchObject({ exitCode: 0, stdout: '2 episodes checked, 0 findings.\n' });
  });

  it('calls no model when the same batch is run again, and prints one JSON object when asked to', async () => {
    const ran = await quickstart('--json');

    expect(ran.exitCode).toBe(0);
    const report = JSON.parse(ran.stdout) as PrintedReport;
    const counts = { requested: 2, done: 2, failed: 0, skipped: 0, remaining: 0 };
    expect(report).toMatchObject({ batchId: 'try', state: 'completed', ...counts });
    expect(report.episodes.map(({ episodeId }) => episodeId).sort()).toStrictEqual([...episodes].sort());
    for (const { stages } of report.episodes) {
      expect(stages.map(({ outcome }) => outcome)).toStrictEqual(Array.from({ length: 5 }, () => 'reused'));
      expect(stages[0]).toMatchObject({
        stage: 'transcribe',
        optionId: 'local_whisper_cpp_tiny_en',
        modelReported: 'whisper-tiny.en',
        endpointId: 'local-whisper',
      });
    }
  }, 200_000);

  it('stops at Ctrl-C, says how to go on and nothing that is not so, and exits with 130', async () => {
    const running = await startInBackground(quickstartOf('left'), /^Batch left starts.*\n/m, { cwd: directory });

    expect(await running.interrupt()).toBe(130);
    const [, last] = running.said().split(/^Stopping \.\.\.\n/m);
    expect(last).toBe('holdfast: Stopped. Batch left goes on when you start again with --batch-id left.\n');
  }, 200_000);

  it('says then which batch goes on beside the new one, and in words what it did itself', async () => {
    const ran = await quickstart();

    expect(ran.stderr).toContain('Batch left is open and goes on beside this one.');
    expect(ran.stdout).toContain('0 model calls: all 10 stages reused.');
    const listed = [...ran.stdout.matchAll(/^ {2}patient-machines-\w+\/(\S+):/gm)].map(([, episode]) => episode);
    expect(listed).toStrictEqual([...episodes].sort());
  }, 200_000);
});
