import type { HoldfastConfig } from './config.js';
import type { KnobValues } from './knobs.js';
import { findOption, optionIdsFor, optionOfProvider, optionStageOf } from './model-registry.js';
import type { ChainName, StageOption } from './model-registry-types.js';
import { suggestion } from './nearest-name.js';

/** Knobs of one layer, and where they stood; layers are ordered lowest first. */
export interface KnobLayer {
  readonly where: string;
  readonly knobs: KnobValues;
}

/** The options a stage's chain is made of, before cloud, hold and buildability are looked at. */
export interface ChosenOptions {
  readonly primary?: StageOption;
  readonly fallback: readonly StageOption[];
  /** Fallback options that a higher layer has made the chosen one. */
  readonly alreadyChosen: readonly StageOption[];
  /** True where the stage has no option of its own and uses the summary's. */
  readonly follows: boolean;
  /** True where some layer names an option, known or not. */
  readonly named: boolean;
}

interface LayerChoice {
  readonly optionId?: string | undefined;
  readonly fallback?: readonly string[] | undefined;
}

function mismatch(knob: string, got: readonly string[], expected: readonly string[]): string {
  return `${knob}: got ${JSON.stringify(got)}, but the option ids beside it are of ${JSON.stringify(expected)}`;
}

function providersOf(optionIds: readonly string[]): string[] {
  return optionIds.map((optionId) => findOption(optionId)?.provider ?? '?');
}

/** An option id, or the option that a bare provider name means (profiles older than option ids). */
function optionIdOf(chain: ChainName, idOrProvider: string): string {
  return findOption(idOrProvider)?.optionId ?? optionOfProvider(chain, idOrProvider)?.optionId ?? idOrProvider;
}

/** What one layer says of a chain: ids first; provider names must agree with them, or stand in for them. */
function readLayer(layer: KnobLayer, chain: ChainName, faults: string[]): LayerChoice {
  const { knobs, where } = layer;
  const optionId = knobs[chain];
  const provider = knobs[`${chain}_provider`];
  const fallback = knobs[`${chain}_fallback`];
  const providers = knobs[`${chain}_fallback_providers`];
  const single = knobs[`${chain}_fallback_provider`];
  if (optionId !== undefined && provider !== undefined && findOption(optionId) !== undefined) {
    const expected = providersOf([optionId]);
    if (expected[0] !== provider) faults.push(`${where}: ${mismatch(`${chain}_provider`, [provider], expected)}`);
  }
  if (fallback !== undefined && providers !== undefined && fallback.every((id) => findOption(id) !== undefined)) {
    const expected = providersOf(fallback);
    if (expected.join() !== providers.join()) {
      faults.push(`${where}: ${mismatch(`${chain}_fallback_providers`, providers, expected)}`);
    }
  }
  const legacy = providers ?? (single === undefined ? undefined : [single]);
  return {
    optionId: optionId ?? (provider === undefined ? undefined : optionIdOf(chain, provider)),
    fallback: fallback ?? legacy?.map((name) => optionIdOf(chain, name)),
  };
}

function lookUp(chain: ChainName, optionId: string, faults: string[]): StageOption | undefined {
  const option = findOption(optionId);
  const known = optionIdsFor(chain);
  if (option === undefined) {
    faults.push(`${chain}: unknown option "${optionId}"${suggestion(optionId, known)} (known: ${known.join(', ')})`);
    return undefined;
  }
  if (option.stage !== optionStageOf(chain)) {
    faults.push(`${chain}: option "${optionId}" is of stage ${option.stage}; expected one of ${known.join(', ')}`);
    return undefined;
  }
  return option;
}

function refuseDuplicates(chain: ChainName, choice: LayerChoice, faults: string[]): void {
  const fallback = choice.fallback ?? [];
  const named =
    choice.optionId === undefined || choice.fallback === undefined ? fallback : [choice.optionId, ...fallback];
  const twice = new Set(named.filter((optionId, index) => named.indexOf(optionId) !== index));
  for (const optionId of twice) faults.push(`${chain}: option "${optionId}" stands twice in the chain`);
}

/**
 * The LLM that the configuration describes, for profiles that prefer one (design.md section 10): Ollama, or any
 * OpenAI-compatible server with the model that it serves.
 */
function configuredLlm(config: HoldfastConfig): string | undefined {
  if (config.endpoints?.['local-ollama'] !== undefined) return 'local_ollama';
  return config.endpoints?.['local-llm'] === undefined ? undefined : 'local_llm';
}

/** Stable: free options keep their order and go before paid ones (RFC-106). */
function freeBeforePaid(options: readonly StageOption[], isCloud: (option: StageOption) => boolean): StageOption[] {
  return [...options.filter((option) => !isCloud(option)), ...options.filter(isCloud)];
}

export interface ChainRequest {
  readonly chain: ChainName;
  readonly layers: readonly KnobLayer[];
  readonly config: HoldfastConfig;
  readonly isCloud: (option: StageOption) => boolean;
}

function chooseIds(request: ChainRequest, faults: string[]): LayerChoice {
  const { chain, layers, config } = request;
  const choices = layers.map((layer) => readLayer(layer, chain, faults));
  for (const choice of choices) refuseDuplicates(chain, choice, faults);
  const fallback = choices.findLast((choice) => choice.fallback !== undefined)?.fallback;
  const chosenAt = choices.findLastIndex((choice) => choice.optionId !== undefined);
  const prefersAt = layers.findLastIndex((layer) => layer.knobs.prefer_configured_llm !== undefined);
  // A choice gives way to a configured LLM where its own layer, or a higher one, says so; a choice laid over that stands.
  const prefers = layers[prefersAt]?.knobs.prefer_configured_llm === true && prefersAt >= chosenAt;
  const givesWay = chain === 'summary' && prefers;
  const optionId = (givesWay ? configuredLlm(config) : undefined) ?? choices[chosenAt]?.optionId;
  return { optionId, fallback };
}

/**
 * The chosen option of a stage and its fallbacks, free before paid. GI and KG without an option of their own use the
 * summary's chain. Every fault goes to `faults`; what could be resolved is returned all the same.
 */
export function chooseOptions(request: ChainRequest, faults: string[]): ChosenOptions {
  const { chain } = request;
  const own = chooseIds(request, faults);
  const follows = (chain === 'gi' || chain === 'kg') && own.optionId === undefined;
  // The summary's own resolution reports its faults.
  const summary = follows ? chooseIds({ ...request, chain: 'summary' }, []) : undefined;
  const optionId = own.optionId ?? summary?.optionId;
  const fallbackIds = own.fallback ?? summary?.fallback ?? [];
  const reported = follows && own.fallback === undefined ? [] : faults;
  const primary = optionId === undefined ? undefined : lookUp(chain, optionId, follows ? [] : faults);
  const fallback = fallbackIds.flatMap((id) => lookUp(chain, id, reported) ?? []);
  return {
    ...(primary === undefined ? {} : { primary }),
    fallback: freeBeforePaid(
      fallback.filter((option) => option !== primary),
      request.isCloud,
    ),
    alreadyChosen: fallback.filter((option) => option === primary),
    follows,
    named: optionId !== undefined,
  };
}
