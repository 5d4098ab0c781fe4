import { Context } from '@temporalio/activity';
import type { Activities } from '../../activities/index.js';
import type { StageActivities } from '../../activities/contracts.js';
import type { TestTemporal } from './temporal.js';

/** One attempt of a stage's activity, by the server's own (virtual) clock. */
export interface AttemptRecord {
  readonly workflowId: string;
  readonly activity: string;
  readonly attempt: number;
  readonly startedAtMs: number;
}

const stageActivities = ['transcribe', 'diarize', 'summarize', 'groundInsights', 'buildKnowledgeGraph'] as const;

/** Wraps the stages' activities so that each attempt is noted; a history shows only the last one of a ladder. */
export function recordAttempts(temporal: TestTemporal, into: AttemptRecord[]): (activities: Activities) => Activities {
  return (activities) => {
    const recorded = Object.fromEntries(
      stageActivities.map((name) => {
        const run: StageActivities[typeof name] = async (input) => {
          const { workflowExecution, attempt } = Context.current().info;
          const { workflowId } = workflowExecution ?? { workflowId: '' };
          into.push({ workflowId, activity: name, attempt, startedAtMs: await temporal.nowMs() });
          return activities.main[name](input);
        };
        return [name, run];
      }),
    );
    return { ...activities, main: { ...activities.main, ...recorded } };
  };
}

/** Seconds from one attempt to the next, rounded. */
export function waitsSec(attempts: readonly AttemptRecord[]): number[] {
  return attempts
    .slice(1)
    .map(({ startedAtMs }, index) => Math.round((startedAtMs - (attempts[index]?.startedAtMs ?? 0)) / 1000));
}
