import { NodeClient, Scope, defaultStackParser, makeNodeTransport } from '@sentry/node';
import { alertMessage, type AlertMessage, type RaiseAlert } from './alerts.js';

const flushMs = 5000;

export interface SentrySettings {
  readonly dsn: string;
  readonly environment?: string;
  /** Tags of every alert, e.g. the site. */
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * Alerts through Sentry. A client of its own, without integrations: nothing is sent but what is said here, and no other
 * use of Sentry in the process is touched. `log` gets every alert as well, and every failure to send one.
 */
export function createSentryAlerts(settings: SentrySettings, log: AlertLog): RaiseAlert {
  const client = new NodeClient({
    dsn: settings.dsn,
    environment: settings.environment ?? 'production',
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
    integrations: [],
    sendClientReports: false,
  });
  client.init();
  return async (endpointId, alert) => {
    const message = alertMessage(endpointId, alert);
    log.alert(message);
    try {
      const scope = new Scope();
      scope.setClient(client);
      scope.setTags({ ...settings.tags, ...message.tags });
      scope.setFingerprint([...message.fingerprint]);
      scope.captureMessage(message.text, message.level);
      if (!(await client.flush(flushMs))) log.failed(message, 'not sent in time');
    } catch (error) {
      log.failed(message, error instanceof Error ? error.message : String(error));
    }
  };
}

export interface AlertLog {
  alert(message: AlertMessage): void;
  failed(message: AlertMessage, why: string): void;
}

/** Where no Sentry is configured: the log is where alerts are. */
export function createLogAlerts(log: AlertLog): RaiseAlert {
  return (endpointId, alert) => {
    log.alert(alertMessage(endpointId, alert));
    return Promise.resolve();
  };
}
