import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import { loadConfigFile } from '../activities/plan/load-config.js';
import { emptyConfig, type HoldfastConfig } from '../src/config.js';
import { taskQueues } from '../src/messages.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a process knows of the place it runs at: the configuration file, and the environment, read here and nowhere else. */
export interface Site {
  readonly env: Environment;
  readonly workingDir: string;
  readonly config: HoldfastConfig;
  /** The file the configuration was read from; undefined: there is none, and everything has its default. */
  readonly configFile: string | undefined;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly connectionOptions: ClientConnectConfig['connectionOptions'];
  };
  readonly queues: { readonly main: string; readonly endpoints: string };
  readonly dgxHost: string | undefined;
  readonly sentryDsn: string | undefined;
  /** Base URL of an OTLP/HTTP collector; undefined: nothing is traced. */
  readonly tracingEndpoint: string | undefined;
}

/** Where the process was started, and what it was told; everything but a test leaves it to the process itself. */
export interface SiteSource {
  /** `--config`; else `HOLDFAST_CONFIG`; else `holdfast.config.yaml` in the working directory, where there is one. */
  readonly configFile?: string | undefined;
  readonly env?: Environment;
  readonly workingDir?: string;
}

/** The configuration cannot be used; `faults` names every reason, none of them a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** BSD's EX_CONFIG: the process cannot run as it is configured, and starting it again will not help. */
export const configurationExitCode = 78;

const defaultConfigFile = 'holdfast.config.yaml';
const defaultAddress = 'localhost:7233';

/**
 * Reads configuration file and environment. Temporal's address, namespace, TLS and key come from Temporal's own
 * environment configuration (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_CONFIG_FILE`, ...).
 *
 * @throws {ConfigurationError} with all faults at once
 */
export async function loadSite(source: SiteSource = {}): Promise<Site> {
  const env = source.env ?? process.env;
  const workingDir = source.workingDir ?? process.cwd();
  const faults: string[] = [];
  const configFile = findConfigFile(source.configFile ?? env['HOLDFAST_CONFIG'], workingDir);
  const loaded =
    configFile === undefined ? { config: emptyConfig, faults: [] as string[] } : await loadConfigFile(configFile);
  faults.push(...loaded.faults);
  const temporal = loadTemporal(env, faults);
  const sentryDsn = loadSentryDsn(loaded.config, env, faults);
  const tracingEndpoint = loadTracingEndpoint(loaded.config, env, faults);
  if (faults.length > 0) throw new ConfigurationError(faults);
  const main = loaded.config.worker?.taskQueue ?? taskQueues.main;
  return {
    env,
    workingDir,
    config: loaded.config,
    configFile,
    temporal,
    queues: { main, endpoints: main === taskQueues.main ? taskQueues.endpoints : `${main}-endpoints` },
    dgxHost: env['DGX_TAILNET_HOST'],
    sentryDsn,
    tracingEndpoint,
  };
}

function findConfigFile(named: string | undefined, workingDir: string): string | undefined {
  if (named !== undefined && named !== '') return path.resolve(workingDir, named);
  const usual = path.resolve(workingDir, defaultConfigFile);
  return existsSync(usual) ? usual : undefined;
}

function loadTemporal(env: Environment, faults: string[]): Site['temporal'] {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(defined) });
    const address = connectionOptions.address ?? defaultAddress;
    return {
      address,
      namespace: namespace ?? 'default',
      connectionOptions: { ...connectionOptions, address },
    };
  } catch (error) {
    faults.push(`Temporal's environment configuration: ${error instanceof Error ? error.message : String(error)}`);
    return { address: defaultAddress, namespace: 'default', connectionOptions: {} };
  }
}

function loadSentryDsn(config: HoldfastConfig, env: Environment, faults: string[]): string | undefined {
  const variable = config.sentry?.dsnEnv;
  if (variable === undefined) return undefined;
  const dsn = env[variable];
  if (dsn === undefined || dsn === '') faults.push(`sentry.dsnEnv names ${variable}, which is not set`);
  else if (!/^https?:\/\/[^@\s]+@[^\s]+\/\d+$/.test(dsn)) faults.push(`${variable} does not hold a Sentry DSN`);
  return dsn;
}

/** The configuration's, else the one that OpenTelemetry's own variables name. */
function loadTracingEndpoint({ tracing }: HoldfastConfig, env: Environment, faults: string[]): string | undefined {
  if (env['OTEL_SDK_DISABLED'] === 'true') return undefined;
  if (tracing?.endpoint !== undefined) return tracing.endpoint;
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (endpoint === undefined || endpoint === '') return undefined;
  if (!/^https?:\/\/[^\s/]+/.test(endpoint)) faults.push('OTEL_EXPORTER_OTLP_ENDPOINT is no http(s) URL');
  return endpoint;
}
