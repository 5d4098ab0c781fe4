import fc from 'fast-check';
import type { ReleasePermit } from '../../src/messages.js';
import { nextWakeAtMs } from '../../src/breaker/wake.js';
import { Drive, request } from '../support/breaker-drive.js';

type Move =
  | { kind: 'acquire'; n: number; failover: boolean }
  | { kind: 'release'; pick: number; outcome: ReleasePermit['outcome']; requeue: boolean; late: boolean }
  | { kind: 'fail'; pick: number }
  | { kind: 'probe'; ok: boolean }
  | { kind: 'pass'; sec: number }
  | { kind: 'gone'; n: number }
  | { kind: 'resume' };

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('acquire' as const), n: fc.nat(9), failover: fc.boolean() }),
    fc.record({
      kind: fc.constant('release' as const),
      pick: fc.nat(20),
      outcome: fc.constantFrom('succeeded', 'returned', 'rejected', 'exhausted', 'paced', 'terminal', 'misconfigured'),
      requeue: fc.boolean(),
      late: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('fail' as const), pick: fc.nat(20) }),
    fc.record({ kind: fc.constant('probe' as const), ok: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), sec: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ kind: fc.constant('gone' as const), n: fc.nat(9) }),
    fc.record({ kind: fc.constant('resume' as const) }),
  ),
  { maxLength: 80 },
);

function play(drive: Drive, steps: Move[], check: () => void): void {
  let seq = 0;
  const releasedIds: string[] = [];
  for (const step of steps) {
    const held = drive.state.held.filter((permit) => permit.drainUntilMs === undefined);
    switch (step.kind) {
      case 'acquire':
        seq += 1;
        drive.acquire(`r${seq}`, { workflowId: `e${step.n}`, strategy: step.failover ? 'failover' : 'hold' });
        break;
      case 'release': {
        const permit = held[step.pick % Math.max(1, held.length)];
        const requestId = step.late
          ? releasedIds[step.pick % Math.max(1, releasedIds.length)]
          : permit?.request.requestId;
        if (requestId === undefined) break;
        releasedIds.push(requestId);
        seq += 1;
        const again = request(`r${seq}`, { workflowId: permit?.request.workflowId ?? 'e0' });
        drive.release(requestId, step.outcome, { pacedForMs: 5000, ...(step.requeue ? { requeue: again } : {}) });
        break;
      }
      case 'fail': {
        const permit = held[step.pick % Math.max(1, held.length)];
        if (permit) drive.send({ kind: 'callFailed', requestId: permit.request.requestId, reason: 'x' });
        break;
      }
      case 'probe':
        if (drive.state.circuit.kind === 'open' && drive.state.circuit.probing) drive.probe(step.ok);
        break;
      case 'pass':
        drive.advanceSec(step.sec);
        break;
      case 'gone':
        drive.send({ kind: 'episodeGone', workflowId: `e${step.n}` });
        break;
      case 'resume':
        drive.send({ kind: 'resumeBatch', batchWorkflowId: 'reprocess-batch/b' });
        break;
    }
    check();
  }
}

const staleOutcomes = ['succeeded', 'exhausted', 'terminal', 'rejected'] as const;
const capacities = fc.integer({ min: 1, max: 4 });

describe('reduceBreaker, any sequence of events', () => {
  it('never has more permits out than the capacity, nor two current ones in half-open', () => {
    fc.assert(
      fc.property(capacities, moves, (capacity, steps) => {
        const drive = new Drive({ capacity });
        play(drive, steps, () => {
          expect(drive.state.held.length).toBeLessThanOrEqual(capacity);
          if (drive.state.circuit.kind !== 'halfOpen') return;
          const current = drive.state.held.filter((permit) => permit.generation === drive.state.generation);
          expect(current.length).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it('leaks no permit: when all are given back and it is reset, every waiter gets its turn', () => {
    fc.assert(
      fc.property(capacities, moves, (capacity, steps) => {
        const drive = new Drive({ capacity, drainSec: 5 });
        play(drive, steps, () => undefined);
        drive.send({ kind: 'resumeBatch', batchWorkflowId: 'reprocess-batch/b' });
        drive.send({ kind: 'reset' });
        const asked = drive.state.queue.length;
        for (let n = 0; n <= asked + capacity; n += 1) {
          drive.advanceSec(30);
          for (const permit of drive.state.held) drive.release(permit.request.requestId, 'succeeded');
        }
        expect([drive.state.queue, drive.state.held]).toEqual([[], []]);
      }),
    );
  });

  it('is moved by no result of another generation', () => {
    fc.assert(
      fc.property(moves, fc.constantFrom(...staleOutcomes), (steps, outcome) => {
        const drive = new Drive({ capacity: 3 });
        play(drive, steps, () => undefined);
        const stale = drive.state.held.find((permit) => permit.generation !== drive.state.generation);
        if (stale === undefined) return;
        const before = drive.state.circuit;
        drive.release(stale.request.requestId, outcome);
        // A freed slot may let a waiting canary in; nothing else may change.
        expect({ ...drive.state.circuit, canaryRequestId: undefined }).toEqual({
          ...before,
          canaryRequestId: undefined,
        });
      }),
    );
  });

  it('asks for a timer whenever somebody waits for what only time brings', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const drive = new Drive({ capacity: 2 });
        play(drive, steps, () => {
          const { circuit, queue } = drive.state;
          const holds = queue.some((waiting) => waiting.strategy === 'hold');
          const waitsForAProbe = circuit.kind === 'open' && !circuit.probing && !circuit.terminal && holds;
          expect(waitsForAProbe && nextWakeAtMs(drive.state) === undefined).toBe(false);
        });
      }),
    );
  });
});
