import { temporal } from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { workflowBundleFile } from '../support/prepared.js';
import { readRecorded, recordedNames, type RecordedHistory } from './recorded-history.js';

/** Runs today's workflow code over a history. @throws DeterminismViolationError where it would do something else */
async function replay({ workflowId, history }: RecordedHistory): Promise<void> {
  const options = { workflowBundle: { codePath: workflowBundleFile } };
  await Worker.runReplayHistory(options, temporal.api.history.v1.History.fromObject(history), workflowId);
}

describe('the workflows', () => {
  beforeAll(() => {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    });
  });

  it.each(recordedNames())('go the same way again over the recorded history %s', async (name) => {
    await expect(replay(readRecorded(name))).resolves.toBeUndefined();
  });

  it('are told apart from a history that went another way', async () => {
    const recorded = readRecorded('episode-healthy');
    const text = JSON.stringify(recorded).replaceAll('"transcribe"', '"describe"');

    await expect(replay(JSON.parse(text) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
  });
});
