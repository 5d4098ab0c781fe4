import type { BatchInput } from '../../src/batch.js';
import type { BatchReport } from '../../cli/batch-outcome.js';
import { holdfast, type Ran } from '../support/holdfast.js';
import { liveThrough, type Operator } from './batch-life.js';
import type { DrillSite } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

/** What an operator has who knows of Temporal only that it is there. */
class HoldfastOperator implements Operator {
  constructor(
    private readonly site: DrillSite,
    readonly batchId: string,
  ) {}

  async start(input: BatchInput): Promise<void> {
    accept(await this.reprocess(input, '--detach', '--json'));
  }

  /** The options of the command line that stand for this input. */
  reprocess({ source, profile = '', corpusDir = '', overrides = {} }: BatchInput, ...more: string[]): Promise<Ran> {
    const audio = 'audio' in source ? source.audio : [];
    const knobs = Object.entries(overrides).map(([knob, value]) => `${knob}=${String(value)}`);
    const options = ['--audio', ...audio, '--set', ...knobs, '--profile', profile, '--corpus-dir', corpusDir];
    return this.run('reprocess', ...options, '--batch-id', this.batchId, ...more);
  }

  async status(): Promise<BatchReport> {
    return JSON.parse(accept(await this.run('status', this.batchId, '--json'))) as BatchReport;
  }

  async resume(): Promise<void> {
    accept(await this.run('resume', this.batchId));
  }

  async abort(): Promise<void> {
    accept(await this.run('abort', this.batchId, '--reason', 'enough'));
  }

  run(...args: string[]): Promise<Ran> {
    return holdfast(args, { cwd: this.site.dataDir, env: { TEMPORAL_ADDRESS: this.site.address } });
  }
}

/** @throws Error with what the command said, unless it ended with 0 */
function accept({ exitCode, stdout, stderr }: Ran): string {
  if (exitCode !== 0) throw new Error(`exit code ${exitCode ?? 'none'}: ${stderr}`);
  return stdout;
}

describe('a batch by the holdfast command alone', () => {
  const start = useDrillSite();

  it('is held, recovers, halts, is resumed and is aborted, and is finished when it is run again', async () => {
    const drill = await start({ episodes: 8, services: { 'dgx-speaches': { serviceMs: 1500 } } });
    const operator = new HoldfastOperator(drill, 'life');
    const life = await liveThrough(drill, operator, {
      whileHalted: async () => {
        const watched = await operator.run('watch', 'life');
        expect(watched.exitCode).toBe(3);
        expect(watched.stdout).toContain('`resume`');
        const endpoints = await operator.run('endpoints');
        expect(endpoints.stdout).toContain('dgx-speaches');
        expect((await operator.run('complete', '--', 'status', 'l')).stdout).toBe('life\n:4\n');
        await drill.signalBatch('life', 'resmue');
        const { stdout } = await operator.run('status', 'life');
        expect(stdout).toContain('refused message: resmue: no such signal here');
      },
    });
    const watched = await operator.run('watch', 'life', '--json');
    const report = JSON.parse(watched.stdout) as BatchReport;

    expect(life.held).toContain('Holding for endpoint dgx-speaches');
    expect(life.halted).toContain('Halted by endpoint dgx-speaches');
    expect(life.cut.closedBy).toBe('client');
    expect(watched.exitCode).toBe(4);
    expect(report).toMatchObject({ batchId: 'life', state: 'aborted', requested: 8, failed: 0 });
    expect(report.done + report.remaining).toBe(8);

    const speaches = drill.endpoint('dgx-speaches');
    const [before, remaining] = [speaches.counters.workCalls, report.remaining];
    speaches.script({ rules: [{ when: { kind: 'work', sha256: drill.audioSha256(7) }, mode: '413' }] });
    const faulty = await operator.reprocess(drill.batchInput());
    expect(faulty.exitCode).toBe(1);
    expect(faulty.stdout).toContain('7 of 8 episodes done, 1 failed');
    expect(faulty.stdout).toContain('tone-07 failed: transcribe: ');

    speaches.script({});
    const again = await operator.reprocess(drill.batchInput());
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('8 of 8 episodes done');
    expect(speaches.counters.workCalls).toBe(before + remaining + 1);
  }, 300_000);
});
