import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFileArtifactStore } from '../../activities/store/file-artifact-store.js';
import { holdfast, run } from '../support/holdfast.js';
import { repositoryRoot } from '../support/prepared.js';
import { publish } from '../support/published-episode.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

describe('holdfast', () => {
  const directory = useTemporaryDirectory();
  const place = (): { cwd: string } => ({ cwd: directory() });

  it('lists its commands and exits with 0 when asked for help', async () => {
    const ran = await holdfast(['--help'], place());

    expect(ran.exitCode).toBe(0);
    for (const command of [
      'up',
      'reprocess',
      'status',
      'endpoints',
      'verify',
      'profiles',
      'doctor',
      'setup',
      'worker',
      'completion',
      'replay',
      'report',
    ]) {
      expect(ran.stdout).toContain(`\n  ${command}`);
    }
  });

  it('has an example in the help of each command', async () => {
    const lacking = `
      const { createProgram } = require('./cli/program.ts');
      const visit = (command, words) => {
        let help = '';
        command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
        if (words.length > 0 && !/^Examples?:$/m.test(help)) process.stdout.write(words.join(' ') + '\\n');
        const inner = command.commands.filter((each) => each.name() !== 'complete');
        inner.forEach((each) => visit(each, [...words, each.name()]));
      };
      visit(createProgram(), []);`;
    const ran = await run([process.execPath, '-r', './bin/register.js', '-e', lacking], { cwd: repositoryRoot });

    expect(ran).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
      version: string;
    };

    expect(await holdfast(['--version'], place())).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
  });

  it('names the nearest command when one is misspelt, and exits with 2', async () => {
    const ran = await holdfast(['reproces'], place());

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Did you mean reprocess?');
  });

  it('names the nearest option when one is misspelt, and exits with 2', async () => {
    const ran = await holdfast(['reprocess', '--fed', 'feed.xml'], place());

    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('Did you mean --feed?');
  });

  it('tells every fault of a batch at once, with what is allowed, and no stack', async () => {
    const faulty = ['--limit', '0', '--window', 'many', '--profile', 'locl', '--batch-id', 'a b', '--only', 'none.txt'];
    const ran = await holdfast(['reprocess', ...faulty, '--set', 'retries_before_trip=1'], place());

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toMatch(/^holdfast: 7 faults:$/m);
    expect(ran.stderr).toContain('give exactly one of --feed, --audio and --from-corpus, got none');
    expect(ran.stderr).toContain('--limit: got "0", allowed: a whole number from 1');
    expect(ran.stderr).toContain('--window: got "many", allowed: a whole number from 1 to 100');
    expect(ran.stderr).toContain('did you mean "local"?');
    expect(ran.stderr).toContain('--batch-id: got "a b"');
    expect(ran.stderr).toContain('--only: none.txt cannot be read');
    expect(ran.stderr).toContain('did you mean "resilience_retries_before_trip"?');
    expect(ran.stderr).not.toContain('    at ');
  });

  it('refuses one port for two', async () => {
    const ran = await holdfast(['up', '--port', '7400', '--ui-port', '7400'], place());

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('got 7400, 7400 and 8791, allowed: three different ports');
  });

  it.each([[['doctor', '--profile', 'locl']], [['profiles', 'show', 'locl']]])(
    'names the nearest profile to %j and where all are listed, and exits with 2',
    async (args) => {
      const ran = await holdfast(args, place());

      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain(
        'unknown profile "locl"; did you mean "local"? (all of them: holdfast profiles list)\n',
      );
    },
  );

  it("ends as Temporal's own command does, with its output", async () => {
    const version = await holdfast(['temporal', '--version'], place());
    const refused = await holdfast(['temporal', 'workflow', 'nonsense', '--nonsense'], place());

    expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('temporal version') as string });
    expect(refused.exitCode).toBe(1);
  });

  it('says at once that a feed or corpus which is looked for here does not exist, and exits with 2', async () => {
    const feed = await holdfast(['reprocess', '--feed', 'nope.xml'], place());
    const corpus = await holdfast(['reprocess', '--from-corpus', 'nope'], place());

    expect(feed).toMatchObject({ exitCode: 2, stderr: 'holdfast: --feed: nope.xml does not exist\n' });
    expect(corpus).toMatchObject({ exitCode: 2, stderr: 'holdfast: --from-corpus: nope does not exist\n' });
  });

  it('says where it looked for a server when none answers', async () => {
    const ran = await holdfast(['status', 'a-batch'], { ...place(), env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });

    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('No Temporal server answers at 127.0.0.1:1');
    expect(ran.stderr).toMatch(/Start one with `.*holdfast.* up`/);
  });

  it('refuses to write a report into a directory that does not exist', async () => {
    const ran = await holdfast(['report', 'a-batch', '-o', 'no-such-directory/x.html'], place());

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(`${path.join(directory(), 'no-such-directory')} does not exist`);
    expect(existsSync(path.join(directory(), 'no-such-directory'))).toBe(false);
  });

  it('says at once when `up` cannot write its data directory', async () => {
    const file = path.join(directory(), 'file');
    await writeFile(file, '');
    const ran = await holdfast(['up', '--data-dir', path.join(file, 'data')], place());

    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^holdfast: Cannot write .*up\.pid: /);
    expect(ran.stderr).not.toContain(' at ');
  });

  it('stops a worker with every fault of its configuration and exit code 78, showing no secret', async () => {
    const config = ['workr: {}', 'sentry: { dsnEnv: THE_DSN }', 'resilience_retries_before_trip: -3'];
    await writeFile(path.join(directory(), 'holdfast.config.yaml'), config.join('\n'));

    const ran = await holdfast(['worker'], { ...place(), env: { THE_DSN: 'not-a-dsn-but-secret' } });

    expect(ran.exitCode).toBe(78);
    expect(ran.stderr).toContain('did you mean \\"worker\\"?');
    expect(ran.stderr).toContain('resilience_retries_before_trip: got -3');
    expect(ran.stderr).toContain('THE_DSN does not hold a Sentry DSN');
    expect(ran.stderr).not.toContain('but-secret');
  });
});

describe('holdfast verify', () => {
  const directory = useTemporaryDirectory();

  it('refuses what does not exist, and a batch that is not in the corpus', async () => {
    const nowhere = await holdfast(['verify', 'nowhere'], { cwd: directory() });
    await publish(createFileArtifactStore(path.join(directory(), 'corpus')), { batchId: 'spring' });
    const misspelt = await holdfast(['verify', 'corpus', '--batch', 'sprnig'], { cwd: directory() });

    expect(nowhere).toMatchObject({ exitCode: 2, stderr: 'holdfast: nowhere does not exist\n' });
    expect(misspelt).toMatchObject({ exitCode: 2, stdout: '' });
    expect(misspelt.stderr).toContain('there is no batch sprnig in corpus; did you mean "spring"?');
  });

  it('tells of a batch what another has superseded', async () => {
    const store = createFileArtifactStore(path.join(directory(), 'corpus'));
    await publish(store, { batchId: 'old' });
    await publish(store, { batchId: 'new', text: 'Said anew.' });
    const ran = await holdfast(['verify', 'corpus', '--batch', 'old'], { cwd: directory() });

    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: '1 episode checked, 0 findings, 1 superseded by batch new.\n',
    });
  });

  it('lists what it finds as JSON and exits with 1', async () => {
    await mkdir(path.join(directory(), 'corpus', 'a-feed', 'an-episode'), { recursive: true });

    const ran = await holdfast(['verify', 'corpus', '--json'], { cwd: directory() });

    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      episodes: 1,
      findings: [{ episode: 'a-feed/an-episode', code: 'record' }],
    });
  });
});
