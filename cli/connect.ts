import { Client, Connection } from '@temporalio/client';
import { loadSite, type Site, type SiteSource } from '../workers/config.js';
import { startTracing } from '../workers/tracing.js';
import { CommandError } from './command-error.js';
import { commandWord } from './command-word.js';

export interface Connected {
  readonly client: Client;
  readonly site: Site;
}

/** The site as it is for a server at another address than the environment's. */
export function atAddress(site: Site, address: string): Site {
  const connectionOptions = { address };
  return { ...site, temporal: { address, namespace: 'default', connectionOptions } };
}

/** Connects to the site's Temporal server. @throws {CommandError} saying where it looked */
export async function connect({ temporal }: Site): Promise<Connection> {
  try {
    return await Connection.connect({ ...temporal.connectionOptions, connectTimeout: '5s' });
  } catch {
    const help = `Start one with \`${commandWord()} up\`, or say where it is with TEMPORAL_ADDRESS.`;
    throw new CommandError(`No Temporal server answers at ${temporal.address}. ${help}`);
  }
}

/** Does something with a client, and closes its connection whatever happens. */
export async function withClient<T>(source: SiteSource | Site, use: (connected: Connected) => Promise<T>): Promise<T> {
  const site = 'temporal' in source ? source : await loadSite(source);
  const connection = await connect(site);
  const tracing = startTracing(site, { serviceName: 'holdfast-cli', onFault: () => undefined });
  const { plugins } = tracing;
  try {
    return await use({ client: new Client({ connection, namespace: site.temporal.namespace, plugins }), site });
  } finally {
    await connection.close();
    await tracing.stop();
  }
}
