import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { freePorts } from '../support/free-ports.js';
import { holdfast, run, startUp, type Ran } from '../support/holdfast.js';
import { repositoryRoot } from '../support/prepared.js';

const audio = path.join(repositoryRoot, 'examples', 'audio', 'listener-questions.mp3');

/** An operator's day with one site: the steps build on each other. */
describe('holdfast up', () => {
  let directory: string;
  let address: string;
  let up: Awaited<ReturnType<typeof startUp>>;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'holdfast-up-'));
    const [port = 0, uiPort = 0, modelsPort = 0] = await freePorts(3);
    address = `127.0.0.1:${port}`;
    const ports = ['--port', `${port}`, '--ui-port', `${uiPort}`, '--models-port', `${modelsPort}`];
    up = await startUp(ports, { cwd: directory });
  }, 200_000);
  afterAll(async () => {
    await up.interrupt();
    await rm(directory, { recursive: true, force: true });
  });

  const place = (): { cwd: string; env: Readonly<Record<string, string>> } => ({
    cwd: directory,
    env: { TEMPORAL_ADDRESS: address },
  });
  const cli = (...args: string[]): Promise<Ran> => holdfast(args, place());

  /** Only what a user with nothing but the `temporal` command can do, which may be on nobody's PATH. */
  async function temporal(verb: string, batchId: string, input: unknown): Promise<Ran> {
    const file = path.join(directory, `${batchId}.json`);
    await writeFile(file, JSON.stringify(input));
    const start = [
      '--type',
      'reprocessBatch',
      '--task-queue',
      'holdfast',
      '--workflow-id',
      `reprocess-batch/${batchId}`,
    ];
    return cli('temporal', 'workflow', verb, ...start, '--input-file', file);
  }

  it('says what to type next, so that it runs as it stands', async () => {
    const [, line = ''] = /^Next: (.*)$/m.exec(up.said()) ?? [];
    const ran = await run(['sh', '-c', line.replace(/ reprocess .*/, ' status nothing')], { cwd: directory });

    expect(line).toMatch(/ reprocess --feed /);
    expect(ran).toMatchObject({ exitCode: 2, stderr: 'holdfast: there is no batch "nothing"\n' });
  });

  it('tells doctor where its local models are', async () => {
    const ran = await cli('doctor', '--json');

    expect(ran).toMatchObject({ exitCode: 0 });
    const checks = JSON.parse(ran.stdout) as { name: string; state: string }[];
    expect(checks.filter(({ state }) => state !== 'ok')).toStrictEqual([]);
    expect(checks.map(({ name }) => name).join()).toContain('local-whisper');
  }, 200_000);

  it('has the data directory to itself', async () => {
    const [modelsPort] = await freePorts(1);
    const ran = await cli('up', '--models-port', `${modelsPort}`);

    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('is in use by another `holdfast up`');
  });

  it('keeps what has ended for a month, so that it can be reported', async () => {
    const connection = await Connection.connect({ address });
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();

    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
  });

  it('fails a bad input at once, naming every fault, for the temporal command alone', async () => {
    const ran = await temporal('execute', 'bad', { source: { feed: 5 }, windw: 3, limit: 0 });

    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(
      /source\.feed: got 5.*limit: got 0, allowed: a whole number.*"windw"; did you mean "window"/s,
    );
  }, 200_000);

  it('runs a batch that the temporal command started, and follows it to its end', async () => {
    const input = { source: { audio: [audio] }, corpusDir: path.join(directory, 'corpus') };
    const started = await temporal('start', 'by-temporal', input);
    const watched = await cli('watch', 'by-temporal', '--json');

    expect(started.exitCode).toBe(0);
    expect(watched.exitCode).toBe(0);
    expect(JSON.parse(watched.stdout)).toMatchObject({
      batchId: 'by-temporal',
      state: 'completed',
      done: 1,
      episodes: [{ episodeId: 'listener-questions', state: 'done' }],
    });
  }, 400_000);

  it('shows the endpoints that the batch has used', async () => {
    const ran = await cli('endpoints', '--json');

    const circuits = (JSON.parse(ran.stdout) as { endpointId: string; circuit: string }[]).map(
      ({ endpointId, circuit }) => `${endpointId} ${circuit}`,
    );
    expect(circuits).toStrictEqual(['local-diarizer closed', 'local-extractive closed', 'local-whisper closed']);
  });

  it('says that an isolated endpoint is not probed', async () => {
    await cli('endpoints', 'isolate', 'local-diarizer');
    const probed = await cli('endpoints', 'probe', 'local-diarizer');
    const reset = await cli('endpoints', 'reset', 'local-diarizer');

    expect(probed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('not probed: it is isolated') as string,
    });
    expect(reset.stdout).toContain('local-diarizer: closed');
  });

  it('exits with 2 and the reason when the feed is not there', async () => {
    const ran = await cli('reprocess', '--feed', path.join(directory, 'nowhere.xml'), '--batch-id', 'nowhere');

    expect(ran.exitCode).toBe(2);
    expect(ran.stdout).toContain('nowhere.xml: there is no such file');
  }, 200_000);

  it('exits with 3 when the chosen endpoint stays dead, and with 4 once the batch is aborted', async () => {
    const config = ['profile: local', 'endpoints: { local-whisper: { url: "http://127.0.0.1:1/v1" } }'];
    await writeFile(path.join(directory, 'dead.yaml'), config.join('\n'));
    const knobs = ['retries_before_trip=0', 'on_open_max_wait_sec=2', 'probe_interval_sec=1'];
    const set = knobs.flatMap((knob) => ['--set', `resilience_${knob}`]);

    const halted = await cli('reprocess', '--audio', audio, '--config', 'dead.yaml', ...set, '--batch-id', 'dead');
    const status = await cli('status', 'dead');
    const aborted = await cli('abort', 'dead');
    const watched = await cli('watch', 'dead', '--json');

    expect(halted.exitCode).toBe(3);
    expect(halted.stdout).toMatch(/decision: .*holdfast\S* resume dead, or .*holdfast\S* abort dead\n/);
    expect(status.stdout).toContain('Halted by endpoint local-whisper');
    expect(aborted.exitCode).toBe(0);
    expect(watched.exitCode).toBe(4);
    expect(JSON.parse(watched.stdout)).toMatchObject({ state: 'aborted', requested: 1, done: 0, remaining: 1 });
  }, 400_000);

  it('stops everything on Ctrl-C, says nothing else, and exits with 0', async () => {
    const before = up.said();
    expect(await up.interrupt()).toBe(0);
    expect(up.said().slice(before.length)).toBe('Stopping ...\n');
    const ran = await cli('status', 'by-temporal');
    expect(ran.stderr).toContain('No Temporal server answers');
  }, 200_000);
});
