import { parseMode, type Mode } from './mode.js';

/** What a request is for. Clients say so by `x-holdfast-purpose`; health and lists of models are told by their path. */
export type CallKind = 'work' | 'probe' | 'health' | 'models';

/** A reply given word for word, for tests over a vendor's recorded bodies. */
export interface FixedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is; anything else as JSON. */
  readonly body: unknown;
  /** Default: JSON unless the body is text, then `text/plain`. */
  readonly contentType?: string;
}

/** Which calls a step or rule is for; all that is given must hold. */
export interface CallMatch {
  readonly kind?: CallKind;
  /** Digest of the uploaded audio. */
  readonly sha256?: string;
  /** Text in the request's body (a prompt) or in the uploaded file's name. */
  readonly contains?: string;
}

export interface Step {
  readonly mode?: string;
  readonly reply?: FixedReply;
  /** Calls that this step serves; default 1. */
  readonly times?: number;
}

/** How an endpoint behaves. Rules win over steps; steps are used up in the order of arrival of work and probe calls. */
export interface Script {
  readonly rules?: readonly (Step & { readonly when: CallMatch })[];
  readonly steps?: readonly Step[];
  /** After the last step; default `ok`. */
  readonly default?: string;
  /** For health requests; default `ok`. */
  readonly health?: string;
  /** For requests for the list of models; default `ok`. */
  readonly models?: string;
}

export interface Behaviour {
  readonly mode: Mode;
  readonly reply: FixedReply | undefined;
}

/** What a call shows of itself when its behaviour is chosen. */
export interface CallSeen {
  readonly kind: CallKind;
  readonly sha256?: string | undefined;
  readonly text?: string | undefined;
}

/** Plays one endpoint's script: deterministic, by arrival. */
export class ScriptPlayer {
  private script: Script = {};
  private used: number[] = [];
  private ruleUses: number[] = [];

  constructor(script: Script = {}) {
    this.set(script);
  }

  set(script: Script): void {
    for (const step of [...(script.steps ?? []), ...(script.rules ?? [])]) parseMode(step.mode ?? 'ok');
    for (const text of [script.default, script.health, script.models]) parseMode(text ?? 'ok');
    this.script = script;
    this.used = (script.steps ?? []).map(() => 0);
    this.ruleUses = (script.rules ?? []).map(() => 0);
  }

  /** True when the body has to be read before the behaviour can be chosen. */
  get looksAtBody(): boolean {
    return (this.script.rules ?? []).some(({ when }) => when.sha256 !== undefined || when.contains !== undefined);
  }

  next(call: CallSeen): Behaviour {
    const rule = this.matchingRule(call);
    if (rule) return behaviourOf(rule);
    if (call.kind === 'health') return behaviourOf({ mode: this.script.health ?? 'ok' });
    if (call.kind === 'models') return behaviourOf({ mode: this.script.models ?? 'ok' });
    const index = (this.script.steps ?? []).findIndex((step, at) => (this.used[at] ?? 0) < (step.times ?? 1));
    const step = this.script.steps?.[index];
    if (!step) return behaviourOf({ mode: this.script.default ?? 'ok' });
    this.used[index] = (this.used[index] ?? 0) + 1;
    return behaviourOf(step);
  }

  private matchingRule(call: CallSeen): Step | undefined {
    const rules = this.script.rules ?? [];
    const index = rules.findIndex(
      (rule, at) => matches(rule.when, call) && (this.ruleUses[at] ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY),
    );
    if (index < 0) return undefined;
    this.ruleUses[index] = (this.ruleUses[index] ?? 0) + 1;
    return rules[index];
  }
}

function matches(when: CallMatch, call: CallSeen): boolean {
  return (
    (when.kind === undefined || when.kind === call.kind) &&
    (when.sha256 === undefined || when.sha256 === call.sha256) &&
    (when.contains === undefined || (call.text?.includes(when.contains) ?? false))
  );
}

function behaviourOf(step: Step): Behaviour {
  return { mode: parseMode(step.mode ?? 'ok'), reply: step.reply };
}
