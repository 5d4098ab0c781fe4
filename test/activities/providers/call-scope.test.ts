import { withDeadline, withLimit, type CallScope } from '../../../activities/providers/call-scope.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new AbortController().signal;
const state = ({ signal, deadlinePassed, cancellation }: CallScope) => ({
  ended: signal.aborted,
  deadlinePassed,
  cancelled: cancellation.aborted,
});

describe('withDeadline', () => {
  it('ends its signal at the deadline, and says why', async () => {
    await withDeadline({ cancellation: never, deadlineMs: 50 }, async (scope) => {
      expect(state(scope)).toEqual({ ended: false, deadlinePassed: false, cancelled: false });
      await pause(100);
      expect(state(scope)).toEqual({ ended: true, deadlinePassed: true, cancelled: false });
      expect(scope.remainingMs).toBe(0);
    });
  });

  it('lets cancellation win, also when the deadline passed first', async () => {
    const controller = new AbortController();
    await withDeadline({ cancellation: controller.signal, deadlineMs: 20 }, async (scope) => {
      await pause(60);
      controller.abort(new Error('stop'));
      expect(state(scope)).toEqual({ ended: true, deadlinePassed: false, cancelled: true });
    });
  });

  it('leaves no listener on the cancellation signal', async () => {
    const controller = new AbortController();
    let ended: AbortSignal | undefined;
    await withDeadline({ cancellation: controller.signal, deadlineMs: 1000 }, ({ signal }) => {
      ended = signal;
      return Promise.resolve();
    });
    controller.abort();
    expect(ended?.aborted).toBe(false);
  });

  it('takes a deadline longer than a timer can be', async () => {
    await withDeadline({ cancellation: never, deadlineMs: 2 ** 40 }, async (scope) => {
      await pause(30);
      expect(scope.signal.aborted).toBe(false);
    });
  });
});

describe('withLimit', () => {
  it('ends earlier than its scope, which goes on', async () => {
    await withDeadline({ cancellation: never, deadlineMs: 5000 }, async (scope) => {
      await withLimit(scope, 30, async (inner) => {
        await pause(80);
        expect(state(inner)).toEqual({ ended: true, deadlinePassed: true, cancelled: false });
      });
      expect(scope.signal.aborted).toBe(false);
    });
  });

  it('runs in a scope that is over, as over', async () => {
    await withDeadline({ cancellation: never, deadlineMs: 20 }, async (scope) => {
      await pause(60);
      await withLimit(scope, 1000, (inner) => {
        expect(state(inner)).toEqual({ ended: true, deadlinePassed: true, cancelled: false });
        return Promise.resolve();
      });
    });
  });
});
