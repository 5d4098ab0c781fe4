import { examinePlan, type PreflightReport, type TierFinding } from '../activities/plan/preflight.js';
import { planOf } from '../activities/plan/resolve-run-plan.js';
import { PlanRefused } from '../src/resolve-plan.js';
import { setupContext, type SetupContext } from '../setup/context.js';
import { resolveFfmpeg } from '../setup/ffmpeg.js';
import { resolveTemporalCli } from '../setup/temporal.js';
import { resolveWhisperModel } from '../setup/whisper-model.js';
import { planDependencies, preflightDependencies } from '../workers/assemble-activities.js';
import { loadSite, type Site } from '../workers/config.js';
import { missingSearchAttributes } from '../workers/search-attributes.js';
import { CommandError, exitCodes } from './command-error.js';
import { withClient } from './connect.js';
import { print, printJson } from './output.js';

export interface DoctorOptions {
  readonly profile?: string;
  readonly config?: string;
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
  const site = await loadSite();
  const checks = [
    ...(await checkParts(setupContext(site.env))),
    await checkTemporal(site),
    ...(await checkPlan(site, options)),
  ];
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

async function checkTemporal(site: Site): Promise<Check> {
  const { address, namespace } = site.temporal;
  const name = `Temporal at ${address}`;
  try {
    const missing = await withClient(site, ({ client }) => missingSearchAttributes(client.connection, namespace));
    if (missing.length === 0)
      return { name, state: 'ok', detail: `namespace ${namespace}, search attributes registered` };
    return { name, state: 'fail', detail: `search attributes missing: ${missing.join(', ')}; run \`holdfast setup\`` };
  } catch (error) {
    if (error instanceof CommandError)
      return { name, state: 'warn', detail: 'nobody answers; `holdfast up` starts one' };
    return { name, state: 'fail', detail: messageOf(error) };
  }
}

async function checkPlan(site: Site, { profile, config }: DoctorOptions): Promise<Check[]> {
  const input = { ...(profile === undefined ? {} : { profile }), ...(config === undefined ? {} : { config }) };
  try {
    const plan = await planOf({ request: { batchId: 'doctor', input }, deps: planDependencies(site) });
    const deps = preflightDependencies(site);
    const report = await examinePlan({ plan, deps, cancellation: new AbortController().signal });
    return report.findings.map((finding) => checkOf(finding, report));
  } catch (error) {
    if (!(error instanceof PlanRefused)) throw error;
    return error.faults.map((fault): Check => ({ name: 'Plan', state: 'fail', detail: fault }));
  }
}

function checkOf({ stages, optionId, endpointId, state, chosen, detail }: TierFinding, report: PreflightReport): Check {
  const refuses = report.problems.some((problem) => problem.includes(`${optionId} at ${endpointId}`));
  const name = `${stages.join(', ')}: ${optionId} at ${endpointId}${chosen ? '' : ' (fallback)'}`;
  return { name, state: refuses ? 'fail' : state === 'ready' ? 'ok' : 'warn', detail };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
