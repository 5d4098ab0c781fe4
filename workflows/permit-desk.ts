import {
  ApplicationFailure,
  CancellationScope,
  condition,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { permitGrantedSignal, permitQuery } from './message-definitions.js';
import type { PermitActivities, PlanOrPlace } from '../activities/contracts.js';
import { parseInput } from '../src/parse-input.js';
import {
  permitAnswerSchema,
  permitRequestId,
  type HaltNotice,
  type PermitAnswer,
  type PermitGrant,
  type PermitRequest,
  type ReleasePermit,
} from '../src/messages.js';

// Retried without end: an update fails while an entity rolls over or has its hands full, and that passes.
const { acquirePermit, releasePermit } = proxyLocalActivities<PermitActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

type Terms = Omit<PermitRequest, 'requestId' | 'workflowId' | 'batchWorkflowId'>;

/** The permit an episode has in hand. At most one: stages run one after the other. */
interface InHand {
  readonly endpointId: string;
  readonly grant: PermitGrant;
  readonly request: PermitRequest;
  /** Of this episode's requests. */
  readonly number: number;
  /** Not used by a stage yet. */
  fresh: boolean;
}

interface Asked {
  readonly endpointId: string;
  readonly request: PermitRequest;
}

/** Asks endpoints for permits and gives them back (design.md section 5), for one episode. */
export class PermitDesk {
  private requests = 0;
  private readonly answers = new Map<string, PermitAnswer>();
  private asked: { readonly endpointId: string; readonly requestId: string } | undefined;
  inHand: InHand | undefined;
  /** The endpoint that this episode waits for, and its circuit as last heard. */
  waitingFor: { readonly endpointId: string; readonly circuit: string } | undefined;

  /** `givesUp` says why the episode stops waiting: only an episode by itself ever does. */
  constructor(
    private readonly batchWorkflowId: string,
    private readonly plan: () => PlanOrPlace,
    private readonly givesUp: () => HaltNotice | undefined,
  ) {
    setHandler(permitQuery, () => {
      const { inHand } = this;
      return inHand === undefined ? null : { endpointId: inHand.endpointId, request: inHand.request };
    });
    setHandler(permitGrantedSignal, (payload) => {
      const parsed = parseInput(permitAnswerSchema, payload);
      // An answer to a request that is settled, or that nobody made, is dropped.
      if (parsed.ok && parsed.value.requestId === this.asked?.requestId) {
        this.answers.set(parsed.value.requestId, parsed.value);
      }
    });
  }

  /**
   * A permit of this endpoint: the one in hand, or a new one; waits as long as it takes. Failover may be denied.
   * `onWait` is told of a wait once.
   */
  async acquire(
    endpointId: string,
    terms: Terms,
    onWait: () => void,
  ): Promise<Exclude<PermitAnswer, { kind: 'queued' }>> {
    if (this.inHand?.endpointId === endpointId) return this.inHand.grant;
    await this.giveBack();
    const request = this.nextRequest(terms);
    this.asked = { endpointId, requestId: request.requestId };
    return this.settle(
      { endpointId, request },
      await acquirePermit({ endpointId, request, plan: this.plan() }),
      onWait,
    );
  }

  /** Gives the permit in hand back and queues at the head for another; then waits for it. */
  async exchange(
    release: Omit<ReleasePermit, 'requestId' | 'requeue'>,
    terms: Terms,
    onWait: () => void,
  ): Promise<Exclude<PermitAnswer, { kind: 'queued' }>> {
    const { inHand } = this;
    if (inHand === undefined) throw ApplicationFailure.nonRetryable('no permit to exchange', 'PermitLost');
    const { endpointId, grant } = inHand;
    const requeue = this.nextRequest(terms);
    this.inHand = undefined;
    this.asked = { endpointId, requestId: requeue.requestId };
    await releasePermit({ endpointId, release: { ...release, requestId: grant.requestId, requeue } });
    return this.settle(
      { endpointId, request: requeue },
      { kind: 'queued', requestId: requeue.requestId, circuit: 'open' },
      onWait,
    );
  }

  /** Gives back what is in hand, if anything. */
  async giveBack(release: Omit<ReleasePermit, 'requestId'> = { outcome: 'returned' }): Promise<void> {
    const { inHand } = this;
    if (inHand === undefined) return;
    this.inHand = undefined;
    const { endpointId } = inHand;
    await releasePermit({ endpointId, release: { ...release, requestId: inHand.grant.requestId } });
  }

  /** The activity has given the permit back itself. */
  wasReleased(): void {
    this.inHand = undefined;
  }

  /** Leaves no trace at any endpoint; also while the episode is being cancelled. */
  async leave(): Promise<void> {
    await CancellationScope.nonCancellable(async () => {
      const { asked } = this;
      this.asked = undefined;
      await this.giveBack();
      if (asked === undefined) return;
      await releasePermit({
        endpointId: asked.endpointId,
        release: { requestId: asked.requestId, outcome: 'returned' },
      });
    });
  }

  private async settle(
    { endpointId, request }: Asked,
    first: PermitAnswer,
    onWait: () => void,
  ): Promise<Exclude<PermitAnswer, { kind: 'queued' }>> {
    let answer = first;
    if (answer.kind === 'queued') {
      const { requestId, circuit } = answer;
      this.waitingFor = { endpointId, circuit };
      onWait();
      await condition(() => this.answers.has(requestId) || this.givesUp() !== undefined);
      answer = this.answers.get(requestId) ?? answer;
    }
    if (answer.kind === 'queued') {
      const notice = this.givesUp();
      throw ApplicationFailure.nonRetryable(
        `Endpoint ${endpointId}: ${notice?.reason ?? 'no permit'}`,
        notice?.failureType ?? 'ResilienceFuseOpen',
      );
    }
    this.answers.clear();
    this.asked = undefined;
    this.waitingFor = undefined;
    if (answer.kind === 'granted')
      this.inHand = { endpointId, request, grant: answer, number: this.requests, fresh: true };
    return answer;
  }

  private nextRequest(terms: Terms): PermitRequest {
    const { workflowId, runId } = workflowInfo();
    this.requests += 1;
    const requestId = permitRequestId({ workflowId, runId }, this.requests);
    return { ...terms, requestId, workflowId, batchWorkflowId: this.batchWorkflowId };
  }
}
