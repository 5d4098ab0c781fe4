import fc from 'fast-check';
import { policyDefaults, resolvePolicy, resolvePosture } from '../../src/policy-defaults.js';
import type { PolicyLayer } from '../../src/policy-defaults.js';
import { resiliencePolicySchema } from '../../src/resilience-policy.js';
import { stages } from '../../src/stage.js';

describe('policyDefaults', () => {
  it('holds with 3 retries after 30, 60 and 120 s and a fuse of 900 s, for every stage', () => {
    const hold = { retriesBeforeTrip: 3, backoffScheduleSec: [30, 60, 120], onOpenMaxWaitSec: 900 };
    for (const stage of stages) expect(policyDefaults('hold', stage)).toMatchObject(hold);
  });

  it('fails over speech with 2 softer retries after 5 and 10 s', () => {
    const speech = { retriesBeforeTrip: 2, backoffScheduleSec: [5, 10] };
    expect(policyDefaults('failover', 'transcribe')).toMatchObject(speech);
    expect(policyDefaults('failover', 'diarize')).toMatchObject(speech);
  });

  it('fails over LLM calls with 3 retries after 1, 2, 4 ... 30 s', () => {
    const llm = { retriesBeforeTrip: 3, backoffScheduleSec: [1, 2, 4, 8, 16, 30] };
    for (const stage of ['summarize', 'gi', 'kg'] as const)
      expect(policyDefaults('failover', stage)).toMatchObject(llm);
  });
});

describe('resolvePosture', () => {
  it.each([
    ['serve', 'failover'],
    ['reprocess', 'hold'],
  ] as const)('takes the strategy of context %s to be %s', (runContext, failureStrategy) => {
    expect(resolvePosture([{ runContext }])).toEqual({ runContext, failureStrategy, explicit: false });
  });

  it('lets an explicit strategy of a low layer win over the context of a high one', () => {
    const posture = resolvePosture([{ failureStrategy: 'failover' }, { runContext: 'reprocess' }]);
    expect(posture).toEqual({ runContext: 'reprocess', failureStrategy: 'failover', explicit: true });
  });

  it('serves where no layer says anything', () => {
    expect(resolvePosture([])).toEqual({ runContext: 'serve', failureStrategy: 'failover', explicit: false });
  });
});

const anyLayer: fc.Arbitrary<PolicyLayer> = fc.record(
  {
    runContext: fc.constantFrom('serve' as const, 'reprocess' as const),
    failureStrategy: fc.constantFrom('hold' as const, 'failover' as const),
    retriesBeforeTrip: fc.integer({ min: 0, max: 20 }),
    backoffScheduleSec: fc.array(fc.integer({ min: 0, max: 3600 }), { minLength: 1, maxLength: 6 }),
    perEpisodeMaxWaitSec: fc.integer({ min: 1, max: 86_400 }),
    onOpenMaxWaitSec: fc.integer({ min: 1, max: 86_400 }),
    probeIntervalSec: fc.integer({ min: 1, max: 3600 }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: [] },
);
const anyLayers = fc.array(anyLayer, { maxLength: 4 });
const anyStage = fc.constantFrom(...stages);

function lastGiven<Knob extends keyof PolicyLayer>(layers: readonly PolicyLayer[], knob: Knob): PolicyLayer[Knob] {
  return layers.findLast((layer) => layer[knob] !== undefined)?.[knob];
}

describe('resolvePolicy', () => {
  it('gives a legal policy, whatever the layers say', () => {
    fc.assert(
      fc.property(anyLayers, anyStage, (layers, stage) => {
        expect(resiliencePolicySchema.safeParse(resolvePolicy(layers, { stage })).success).toBe(true);
      }),
    );
  });

  it('lets the explicit value of the highest layer win, and fills the rest by strategy', () => {
    fc.assert(
      fc.property(anyLayers, anyStage, (layers, stage) => {
        const policy = resolvePolicy(layers, { stage });
        const context = lastGiven(layers, 'runContext') ?? 'serve';
        const strategy = lastGiven(layers, 'failureStrategy') ?? (context === 'serve' ? 'failover' : 'hold');
        const defaults = policyDefaults(strategy, stage);
        expect(policy.failureStrategy).toBe(strategy);
        for (const knob of ['retriesBeforeTrip', 'backoffScheduleSec', 'onOpenMaxWaitSec', 'jitter'] as const) {
          expect(policy[knob]).toEqual(lastGiven(layers, knob) ?? defaults[knob]);
        }
      }),
    );
  });

  it('does not mistake a value equal to another default for an unset one', () => {
    const option = { policy: { retriesBeforeTrip: 6 } };
    const policy = resolvePolicy([{ retriesBeforeTrip: 3 }], { stage: 'summarize', option });
    expect(policy.retriesBeforeTrip).toBe(3);
  });

  it("takes the option's measured figures where no layer says otherwise", () => {
    const option = { policy: { retriesBeforeTrip: 6, backoffScheduleSec: [2, 4, 8, 16, 32, 60] } };
    expect(resolvePolicy([{ runContext: 'serve' }], { stage: 'summarize', option })).toMatchObject(option.policy);
  });

  it('uses the context of the run where no layer names one', () => {
    expect(resolvePolicy([], { stage: 'diarize', runContext: 'reprocess' }).failureStrategy).toBe('hold');
  });
});
