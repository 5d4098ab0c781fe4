import { examinePlan, type PreflightReport, type TierFinding } from '../activities/plan/preflight.js';
import { planOf } from '../activities/plan/resolve-run-plan.js';
import { presetNames, unknownProfile } from '../src/presets.js';
import { PlanRefused } from '../src/resolve-plan.js';
import { setupContext, type SetupContext } from '../setup/context.js';
import { resolveFfmpeg } from '../setup/ffmpeg.js';
import { resolveTemporalCli } from '../setup/temporal.js';
import { resolveWhisperModel } from '../setup/whisper-model.js';
import { planDependencies, preflightDependencies } from '../workers/assemble-activities.js';
import { loadSite, type Site } from '../workers/config.js';
import { missingSearchAttributes } from '../workers/search-attributes.js';
import { CommandError, exitCodes, usageError } from './command-error.js';
import { commandWord } from './command-word.js';
import { withClient } from './connect.js';
import { localModelsOf } from './local-models-address.js';
import { print, printJson } from './output.js';

/** What `up` starts beside the worker. */
const ownEndpoints: ReadonlySet<string> = new Set(['local-whisper', 'local-diarizer']);

export interface DoctorOptions {
  readonly profile?: string;
  readonly config?: string;
  readonly localModels?: string | undefined;
  readonly json?: boolean;
}

/** One thing looked at. `warn`: it can be lived with, or is the hold's business. */
interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

/**
 * Looks at everything a run needs, and prints what it found; exit code 1 when a run could not start.
 *
 * @public loaded by commands/doctor.ts when asked for
 */
export async function doctor(options: DoctorOptions): Promise<void> {
  if (options.profile !== undefined && !presetNames.includes(options.profile)) {
    throw usageError([`--profile: ${unknownProfile(options.profile)}`]);
  }
  const site = await loadSite();
  const parts = await checkParts(setupContext(site.env));
  const { check: temporal, localModels } = await checkTemporal(site);
  const plan = await checkPlan(site, { localModels, ...options });
  const checks = [...parts, temporal, ...plan];
  if (options.json === true) printJson(checks);
  else for (const { state, name, detail } of checks) print(`${state.padEnd(4)}  ${name}: ${detail}`);
  if (checks.some((check) => check.state === 'fail')) process.exitCode = exitCodes.failed;
}

/** A part that is not there yet is fetched: whether that works is what one wants to know. */
async function checkParts(context: SetupContext): Promise<Check[]> {
  const parts: Readonly<Record<string, () => Promise<{ readonly source: string }>>> = {
    'Temporal CLI': () => resolveTemporalCli(context),
    ffmpeg: () => resolveFfmpeg(context),
    'Whisper model': () => resolveWhisperModel(context),
  };
  const checks: Check[] = [{ name: 'Node', state: 'ok', detail: process.version }];
  for (const [name, resolve] of Object.entries(parts)) {
    checks.push(
      await resolve().then(
        ({ source }): Check => ({ name, state: 'ok', detail: `from ${source}` }),
        (error: unknown): Check => ({ name, state: 'fail', detail: messageOf(error) }),
      ),
    );
  }
  return checks;
}

/** The server, and where it says that the local models of its site are. */
async function checkTemporal(site: Site): Promise<{ check: Check; localModels?: string | undefined }> {
  const { address, namespace } = site.temporal;
  const name = `Temporal at ${address}`;
  try {
    return await withClient(site, async ({ client: { connection } }) => {
      const missing = await missingSearchAttributes(connection, namespace);
      const localModels = await localModelsOf(connection, namespace);
      const detail =
        missing.length === 0
          ? `namespace ${namespace}, search attributes registered`
          : `search attributes missing: ${missing.join(', ')}; run \`${commandWord()} setup\``;
      return { check: { name, state: missing.length === 0 ? 'ok' : 'fail', detail }, localModels };
    });
  } catch (error) {
    if (!(error instanceof CommandError)) return { check: { name, state: 'fail', detail: messageOf(error) } };
    return { check: { name, state: 'warn', detail: `nobody answers; \`${commandWord()} up\` starts one` } };
  }
}

async function checkPlan(site: Site, { profile, config, localModels }: DoctorOptions): Promise<Check[]> {
  const input = { ...(profile === undefined ? {} : { profile }), ...(config === undefined ? {} : { config }) };
  try {
    const request = { request: { batchId: 'doctor', input }, deps: planDependencies(site, localModels) };
    const report = await examinePlan({
      plan: await planOf(request),
      deps: preflightDependencies(site),
      cancellation: new AbortController().signal,
    });
    return report.findings.map((finding) => checkOf(finding, report));
  } catch (error) {
    if (!(error instanceof PlanRefused)) throw error;
    return error.faults.map((fault): Check => ({ name: 'Plan', state: 'fail', detail: fault }));
  }
}

function checkOf(finding: TierFinding, report: PreflightReport): Check {
  const { stages, optionId, endpointId, state, chosen } = finding;
  const refuses = report.problems.some((problem) => problem.includes(`${optionId} at ${endpointId}`));
  const name = `${stages.join(', ')}: ${optionId} at ${endpointId}${chosen ? '' : ' (fallback)'}`;
  const isOwn = state === 'down' && ownEndpoints.has(endpointId);
  const detail = isOwn ? `${finding.detail}; \`${commandWord()} up\` starts it` : finding.detail;
  return { name, state: refuses ? 'fail' : state === 'ready' ? 'ok' : 'warn', detail };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
