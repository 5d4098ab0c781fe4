import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createBatchActivities } from '../../activities/batch-activities.js';
import type { BatchActivities } from '../../activities/contracts.js';
import { shippedProfilesDir } from '../../activities/plan/profile-files.js';
import { createFileArtifactStore } from '../../activities/store/file-artifact-store.js';
import { StoreError } from '../../activities/store/store-error.js';
import type { RunPlan } from '../../src/run-plan.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

type Store = ReturnType<typeof createFileArtifactStore>;

describe('createBatchActivities', () => {
  const directory = useTemporaryDirectory();
  const at = (...names: string[]): string => path.join(directory(), ...names);
  const activitiesOn = (store: (corpusDir: string) => Store = createFileArtifactStore): BatchActivities =>
    createBatchActivities({
      store,
      plan: () => Promise.resolve({ profilesDir: shippedProfilesDir(), workingDir: directory() }),
      preflight: { clients: {}, apiKey: () => undefined },
      messenger: { configure: () => Promise.resolve() },
      nowMs: () => 0,
    });
  const input = (): { source: { audio: string[] }; corpusDir: string } => ({
    source: { audio: [at('a.mp3')] },
    corpusDir: at('corpus'),
  });
  const inActivity = async <T>(work: () => Promise<T>): Promise<T> =>
    new MockActivityEnvironment().run<[], T, () => Promise<T>>(work);
  const resolve = (activities: BatchActivities): Promise<RunPlan> =>
    inActivity(() => activities.resolveRunPlan({ batchId: 'b', input: input() }));
  const failureOf = async (work: Promise<unknown>): Promise<ApplicationFailure> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    if (error instanceof ApplicationFailure) return error;
    throw new Error('expected an ApplicationFailure', { cause: error });
  };

  it('refuse a corpus directory that cannot be used at once, as bad input', async () => {
    await writeFile(at('corpus'), 'a file');

    const failure = await failureOf(resolve(activitiesOn()));

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toContain(`The corpus directory ${at('corpus')} cannot be used`);
    expect(failure.message).toContain('part of the path is a file, not a directory');
  });

  it('refuse it also where it fails while the episodes are listed', async () => {
    await writeFile(at('a.mp3'), 'x');
    const activities = activitiesOn();
    const plan = await resolve(activities);
    await rm(at('corpus'), { recursive: true });
    await writeFile(at('corpus'), 'a file');

    const failure = await failureOf(inActivity(() => activities.listEpisodes({ plan, input: input() })));

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
  });

  it('try a full disk again, and say what to do', async () => {
    const full = new StoreError('Cannot write it: the disk is full.', 'ENOSPC');
    const failure = await failureOf(
      resolve(
        activitiesOn((corpusDir) => ({ ...createFileArtifactStore(corpusDir), put: () => Promise.reject(full) })),
      ),
    );

    expect(failure).toMatchObject({ type: 'StoreUnavailable', nonRetryable: false });
    expect(failure.message).toBe(
      'Cannot write it: the disk is full. Free some space; where the batch has failed, run it again under its id.',
    );
  });
});
