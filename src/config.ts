import { z } from 'zod';
import { endpointSettingsSchema } from './endpoint.js';
import { inputFaults } from './input-faults.js';
import { isKnobName, knobNames, parseKnobs } from './knobs.js';
import type { KnobValues } from './knobs.js';
import { endpointDefaults } from './model-registry-endpoints.js';
import { suggestion } from './nearest-name.js';

const endpoint = endpointSettingsSchema.shape;

/** `http(s)://host[:port][/path]`, without credentials, query or fragment: keys come from the environment. */
const urlSchema = z
  .string()
  .trim()
  .regex(/^https?:\/\/[^\s@/?#]+(\/[^\s@?#]*)?$/, 'an http(s) URL without user, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''));
const envNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never the key itself');

const socketAddressSchema = z
  .string()
  .trim()
  .regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):\d{1,5}$/, 'an IP address and a port, e.g. 127.0.0.1:9464');

const probeOverrideSchema = z.strictObject({
  intervalSec: endpoint.probeIntervalSec.optional(),
  deadlineSec: endpoint.probeDeadlineSec.optional(),
});

/** What a configuration may say of an endpoint; everything not said has the registry's default. */
export const endpointOverrideSchema = z.strictObject({
  url: urlSchema.optional(),
  capacity: endpoint.capacity.optional(),
  /** Model id that the server at this URL serves; replaces the model of every option on this endpoint. */
  model: z.string().trim().min(1).optional(),
  apiKeyEnv: envNameSchema.optional(),
  probe: probeOverrideSchema.optional(),
  cooldownSec: endpoint.cooldownSec.optional(),
  failureThreshold: endpoint.failureThreshold.optional(),
  failureWindowSec: endpoint.failureWindowSec.optional(),
  drainSec: endpoint.drainSec.optional(),
});
export type EndpointOverride = z.infer<typeof endpointOverrideSchema>;

const sectionSchemas = {
  /** Name of the shipped profile that this file changes; default `local`. */
  profile: z.string().trim().min(1),
  description: z.string(),
  dgx_tailnet_host: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.-]+$/, 'a host name or an address'),
  endpoints: z.record(z.string(), endpointOverrideSchema),
  store: z.strictObject({ corpusDir: z.string().trim().min(1).optional() }),
  sentry: z.strictObject({ dsnEnv: envNameSchema.optional(), environment: z.string().trim().min(1).optional() }),
  /** Base URL of an OTLP/HTTP collector: spans go to `<endpoint>/v1/traces`. */
  tracing: z.strictObject({ endpoint: urlSchema.optional() }),
  worker: z.strictObject({
    taskQueue: z.string().trim().min(1).optional(),
    maxConcurrentActivities: z.number().int().min(1).max(1000).optional(),
    metricsAddress: socketAddressSchema.optional(),
    shutdownGraceSec: z.number().positive().max(86_400).optional(),
  }),
} as const;
type SectionName = keyof typeof sectionSchemas;
type Sections = { readonly [Name in SectionName]?: z.infer<(typeof sectionSchemas)[Name]> };

/** A parsed `holdfast.config.yaml` (or a profile file: the same fields). */
export interface HoldfastConfig extends Sections {
  readonly knobs: KnobValues;
}

export const emptyConfig: HoldfastConfig = { knobs: {} };

const sectionNames = Object.keys(sectionSchemas) as SectionName[];

function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(sectionSchemas, name);
}

function unknownEndpoints(where: string, endpoints: object): string[] {
  const known = Object.keys(endpointDefaults);
  return Object.keys(endpoints)
    .filter((id) => !known.includes(id))
    .map(
      (id) => `${where}: endpoints.${id}: unknown endpoint${suggestion(id, known) || `; known: ${known.join(', ')}`}`,
    );
}

/**
 * Parses a configuration or profile file's content, strictly. Never throws: all faults are told at once, each naming
 * the field, what was got or the nearest known name, and `where` (the file).
 */
export function parseConfig(raw: unknown, where: string): { config: HoldfastConfig; faults: string[] } {
  if (raw === null || raw === undefined) return { config: emptyConfig, faults: [] };
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    return { config: emptyConfig, faults: [`${where}: expected a mapping of fields to values`] };
  }
  const faults: string[] = [];
  const sections: Record<string, unknown> = {};
  const knobs: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(raw as Record<string, unknown>)) {
    if (isKnobName(field)) knobs[field] = value;
    else if (!isSectionName(field)) {
      faults.push(`${where}: unknown field "${field}"${suggestion(field, [...knobNames, ...sectionNames])}`);
    } else if (value !== null) {
      const schema = z.object({ [field]: sectionSchemas[field] });
      const input = { [field]: value };
      const parsed = schema.safeParse(input);
      if (parsed.success) sections[field] = parsed.data[field];
      else faults.push(...inputFaults(parsed.error, { schema, input }).map((fault) => `${where}: ${fault}`));
    }
  }
  // As they stand in the file: an id is told whatever else is wrong with it.
  const { endpoints } = raw as { endpoints?: unknown };
  if (typeof endpoints === 'object' && endpoints !== null) faults.push(...unknownEndpoints(where, endpoints));
  const parsedKnobs = parseKnobs(knobs, where);
  return { config: { ...sections, knobs: parsedKnobs.values }, faults: [...faults, ...parsedKnobs.faults] };
}

/** The site's configuration with a run's laid over it: endpoints are merged field by field, knobs one by one. */
export function mergeConfigs(base: HoldfastConfig, over: HoldfastConfig): HoldfastConfig {
  const ids = new Set([...Object.keys(base.endpoints ?? {}), ...Object.keys(over.endpoints ?? {})]);
  const endpoints = Object.fromEntries(
    [...ids].map((id) => {
      const [low, high] = [base.endpoints?.[id], over.endpoints?.[id]];
      return [id, { ...low, ...high, probe: { ...low?.probe, ...high?.probe } }];
    }),
  );
  return { ...base, ...over, endpoints, knobs: { ...base.knobs, ...over.knobs } };
}
