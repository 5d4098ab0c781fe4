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
  answersRequest,
  permitAnswerSchema,
  permitRequestId,
  type EndpointChange,
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

/** What an episode has been told that concerns its waiting. */
interface WaitOrders {
  /** Why it stops waiting: only an episode by itself ever does. */
  readonly loneHalt: HaltNotice | undefined;
  /** How often it was told to go on. */
  readonly resumes: number;
}

/** In the queue of an endpoint. */
export interface Waiting {
  readonly endpointId: string;
  readonly circuit: string;
  /** More of its circuit, where that is not closed. */
  readonly change: EndpointChange | undefined;
}

interface Asked {
  readonly endpointId: string;
  readonly request: PermitRequest;
}

/** Asks endpoints for permits and gives them back (design.md section 5), for one episode. */
export class PermitDesk {
  private requests = 0;
  private readonly answers = new Map<string, PermitAnswer>();
  private asked: Asked | undefined;
  inHand: InHand | undefined;
  /** The endpoint that this episode waits for, and its circuit as it was on queuing. */
  waitingFor: Waiting | undefined;

  constructor(
    private readonly batchWorkflowId: string,
    private readonly plan: () => PlanOrPlace,
    private readonly orders: () => WaitOrders,
  ) {
    setHandler(permitQuery, () => {
      const { inHand, asked } = this;
      if (inHand !== undefined) return { endpointId: inHand.endpointId, request: inHand.request };
      return asked === undefined ? null : { ...asked, waits: true };
    });
    setHandler(permitGrantedSignal, (payload) => {
      const parsed = parseInput(permitAnswerSchema, payload);
      const requestId = this.asked?.request.requestId;
      // An answer to a request that is settled, or that nobody made, is dropped.
      if (parsed.ok && requestId !== undefined && answersRequest(parsed.value.requestId, requestId, workflowInfo())) {
        this.answers.set(requestId, parsed.value);
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
    this.asked = { endpointId, request };
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
    this.asked = { endpointId, request: requeue };
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
        release: { requestId: asked.request.requestId, outcome: 'returned' },
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
      const { circuit, change } = answer;
      this.waitingFor = { endpointId, circuit, change };
      onWait();
      answer = await this.untilAnswered({ endpointId, request }, answer);
    }
    if (answer.kind === 'queued') {
      const notice = this.orders().loneHalt;
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

  private async untilAnswered({ endpointId, request }: Asked, queued: PermitAnswer): Promise<PermitAnswer> {
    const orders = this.orders();
    let answer = queued;
    while (answer.kind === 'queued' && orders.loneHalt === undefined) {
      const { requestId } = request;
      const { resumes } = orders;
      await condition(() => this.answers.has(requestId) || orders.loneHalt !== undefined || orders.resumes !== resumes);
      const heard = this.answers.get(requestId);
      if (heard !== undefined) return heard;
      // An endpoint that was ended while everybody waited has nobody to begin it anew: an operator's `resume` does.
      if (orders.resumes !== resumes) answer = await acquirePermit({ endpointId, request, plan: this.plan() });
    }
    return this.answers.get(request.requestId) ?? answer;
  }

  private nextRequest(terms: Terms): PermitRequest {
    const { workflowId, runId } = workflowInfo();
    this.requests += 1;
    const requestId = permitRequestId({ workflowId, runId }, this.requests);
    return { ...terms, requestId, workflowId, batchWorkflowId: this.batchWorkflowId };
  }
}
