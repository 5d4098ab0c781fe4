import type { WireShape } from '../../../src/endpoint.js';
import type { CallFailureType } from '../../../src/failure.js';

/** One row of a provider's error table: what the service really sends, and the class it must be given. */
export interface WireRow {
  readonly wire: WireShape;
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly type: CallFailureType;
}

const openAi = (message: string, code: string | number | null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
const gemini = (code: number, status: string, details?: object[]) => ({
  error: { code, message: 'some words', status, ...(details && { details }) },
});
const googleDetail = (name: string, rest: object) => ({ '@type': `type.googleapis.com/google.rpc.${name}`, ...rest });
const quota = (quotaId: string) => [
  googleDetail('QuotaFailure', { violations: [{ quotaMetric: 'm', quotaId, quotaValue: '10' }] }),
  googleDetail('RetryInfo', { retryDelay: '36s' }),
];
const missingFile = { detail: [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }] };
const html = '<html><body>Bad gateway</body></html>';
const plain500 = 'Internal Server Error';

type Row = readonly [
  name: string,
  status: number,
  body: unknown,
  type: CallFailureType,
  headers?: Record<string, string>,
];

const openAiTranscription: readonly Row[] = [
  [
    'audio too long',
    400,
    openAi('audio duration 1830.53 seconds is longer than 1400 seconds', 'invalid_value'),
    'ContentRejected',
  ],
  ['unknown file format', 400, openAi('Invalid file format.', null), 'ContentRejected'],
  ['bad key', 401, openAi('Incorrect API key provided', 'invalid_api_key'), 'AccountTerminal'],
  ['country', 403, openAi('Country not supported', 'unsupported_country_region_territory'), 'AccountTerminal'],
  ['unknown model', 404, openAi('The model does not exist', 'model_not_found'), 'Misconfigured'],
  [
    'too large, typed as a server error',
    413,
    openAi('Maximum content size limit (26214400) exceeded', null, 'server_error'),
    'ContentRejected',
  ],
  [
    'rate limit',
    429,
    openAi('Rate limit reached', 'rate_limit_exceeded', 'requests'),
    'RateLimited',
    { 'retry-after': '1' },
  ],
  [
    'quota',
    429,
    openAi('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
    'AccountTerminal',
  ],
  ['server error', 500, openAi('The server had an error', null, 'server_error'), 'EndpointUnavailable'],
  ['overload', 503, openAi('Overloaded', null, 'server_error'), 'EndpointUnavailable', { 'retry-after': '3' }],
  ['odd overload', 529, openAi('Overloaded', null, 'server_error'), 'EndpointUnavailable'],
  ['page of a CDN', 502, html, 'EndpointUnavailable'],
  ['speaches: model not there', 404, { detail: "Model 'X' is not installed locally." }, 'Misconfigured'],
  ['speaches: key', 403, { detail: 'Invalid API key' }, 'AccountTerminal', { 'www-authenticate': 'Bearer' }],
  [
    'speaches: empty file',
    400,
    { detail: 'Failed to decode audio. The provided file is likely empty.' },
    'ContentRejected',
  ],
  [
    'speaches: file type',
    415,
    { detail: 'Failed to decode audio. The provided file type is not supported.' },
    'ContentRejected',
  ],
  ['speaches: validation', 422, missingFile, 'ContentRejected'],
  ['speaches: decoder', 500, { detail: 'Failed to decode audio.' }, 'EndpointUnavailable'],
  ['speaches: out of memory', 500, plain500, 'EndpointUnavailable'],
  ['whisper: loading', 503, { detail: 'whisper model not yet loaded' }, 'EndpointUnavailable'],
  ['whisper: format', 400, { detail: 'response_format must be one of json, text, verbose_json' }, 'ContentRejected'],
  ['request timeout', 408, { detail: 'timeout' }, 'EndpointUnavailable'],
];

const moss: readonly Row[] = [
  ['loading', 503, { detail: 'model still loading' }, 'EndpointUnavailable'],
  ['empty audio', 400, { detail: 'empty audio' }, 'ContentRejected'],
  ['missing field', 422, missingFile, 'Misconfigured'],
  ['out of memory', 500, plain500, 'EndpointUnavailable'],
  ['wrong path', 404, { detail: 'Not Found' }, 'Misconfigured'],
  ['wrong method', 405, { detail: 'Method Not Allowed' }, 'Misconfigured'],
  ['too many at once', 503, 'Service Unavailable', 'EndpointUnavailable', { connection: 'close' }],
];

const pyannote: readonly Row[] = [
  ['loading', 503, { detail: 'pyannote pipeline not yet loaded' }, 'EndpointUnavailable'],
  ['speaker bounds', 400, { detail: 'invalid speaker bounds: min=5, max=2' }, 'Misconfigured'],
  ['speaker count', 400, { detail: 'num_speakers must be >= 1, got 0' }, 'Misconfigured'],
  [
    'validation',
    422,
    { detail: [{ type: 'greater_than_equal', loc: ['body', 'min_speakers'], input: '0', ctx: { ge: 1 } }] },
    'Misconfigured',
  ],
  ['no speech', 422, { detail: 'pyannote produced no speaker segments for this audio' }, 'ContentRejected'],
  ['out of memory', 500, plain500, 'EndpointUnavailable'],
];

const openAiChat: readonly Row[] = [
  [
    'context length',
    400,
    openAi("This model's maximum context length is 4096 tokens", 400, 'BadRequestError'),
    'ContentRejected',
  ],
  ['unauthorized', 401, { error: 'Unauthorized' }, 'AccountTerminal'],
  ['unknown model', 404, openAi('The model does not exist.', 404, 'NotFoundError'), 'Misconfigured'],
  ['unprocessable', 422, openAi('unprocessable', 422, 'UnprocessableEntityError'), 'ContentRejected'],
  ['engine dead', 500, openAi('EngineCore encountered an issue', 500, 'InternalServerError'), 'EndpointUnavailable'],
  ['not implemented', 501, openAi('not implemented', 501, 'NotImplementedError'), 'Misconfigured'],
  ['engine dead, by its own health', 503, '', 'EndpointUnavailable'],
  ['no money', 402, openAi('Insufficient Balance', 'payment_required'), 'AccountTerminal'],
  [
    'billing limit as a 400',
    400,
    openAi('Billing hard limit has been reached', 'billing_hard_limit_reached'),
    'AccountTerminal',
  ],
  ['Ollama /v1: not pulled', 404, openAi('model "x" not found', null, 'not_found_error'), 'Misconfigured'],
  ['moved', 301, '', 'Misconfigured', { location: 'https://elsewhere.example' }],
];

const ollama: readonly Row[] = [
  ['capability', 400, { error: '"x" does not support thinking' }, 'ContentRejected'],
  ['not pulled', 404, { error: 'model "x" not found, try pulling it first' }, 'Misconfigured'],
  ['cancelled at its end', 499, { error: 'request canceled' }, 'EndpointUnavailable'],
  [
    'queue full',
    503,
    { error: 'server busy, please try again.  maximum pending requests exceeded' },
    'EndpointUnavailable',
  ],
  ['runner crashed', 500, { error: 'llama runner process has terminated' }, 'EndpointUnavailable'],
  ['cloud limit', 429, { error: 'too many requests' }, 'RateLimited'],
  ['cloud gateway', 502, { error: 'bad gateway' }, 'EndpointUnavailable'],
  ['error in a 200', 200, { error: 'unexpected EOF' }, 'EndpointUnavailable'],
];

const geminiRows: readonly Row[] = [
  ['bad schema', 400, gemini(400, 'INVALID_ARGUMENT'), 'ContentRejected'],
  [
    'bad key',
    400,
    gemini(400, 'INVALID_ARGUMENT', [googleDetail('ErrorInfo', { reason: 'API_KEY_INVALID' })]),
    'AccountTerminal',
  ],
  ['billing or region', 400, gemini(400, 'FAILED_PRECONDITION'), 'AccountTerminal'],
  ['permission', 403, gemini(403, 'PERMISSION_DENIED'), 'AccountTerminal'],
  ['retired model', 404, gemini(404, 'NOT_FOUND'), 'Misconfigured'],
  [
    'per minute',
    429,
    gemini(429, 'RESOURCE_EXHAUSTED', quota('GenerateRequestsPerMinutePerProjectPerModel')),
    'RateLimited',
  ],
  ['without details', 429, gemini(429, 'RESOURCE_EXHAUSTED'), 'RateLimited'],
  [
    'per day',
    429,
    gemini(429, 'RESOURCE_EXHAUSTED', quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')),
    'AccountTerminal',
  ],
  ['internal', 500, gemini(500, 'INTERNAL'), 'EndpointUnavailable'],
  ['overloaded', 503, gemini(503, 'UNAVAILABLE'), 'EndpointUnavailable'],
  ['deadline at its end', 504, gemini(504, 'DEADLINE_EXCEEDED'), 'EndpointUnavailable'],
];

const deepgram: readonly Row[] = [
  [
    'corrupt audio, legacy form',
    400,
    { err_code: 'Bad Request', err_msg: 'Bad Request: failed to process audio', request_id: 'r' },
    'ContentRejected',
  ],
  ['modern form', 400, { category: 'INVALID_JSON', message: 'x', details: 'y', request_id: 'r' }, 'ContentRejected'],
  ['plain text', 400, 'Bad Request', 'ContentRejected'],
  ['bad key', 401, { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.', request_id: 'r' }, 'AccountTerminal'],
  ['no credits', 402, { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: 'x', request_id: 'r' }, 'AccountTerminal'],
  [
    'model not allowed',
    403,
    { err_code: 'INSUFFICIENT_PERMISSIONS', err_msg: 'x', request_id: 'r' },
    'AccountTerminal',
  ],
  ['too large', 413, 'Payload Too Large', 'ContentRejected'],
  ['content type', 415, 'Unsupported Media Type', 'ContentRejected'],
  [
    'concurrency limit',
    429,
    { err_code: 'TOO_MANY_REQUESTS', err_msg: 'x', request_id: 'r' },
    'RateLimited',
    { 'retry-after': '2' },
  ],
  ['slow upload', 408, { err_code: 'SLOW_UPLOAD', err_msg: 'x', request_id: 'r' }, 'EndpointUnavailable'],
  ['gone away', 499, '', 'EndpointUnavailable'],
  ['bad gateway', 502, html, 'EndpointUnavailable'],
  ['processing limit', 504, 'Gateway Timeout', 'EndpointUnavailable'],
];

const rowsOf = (wire: WireShape, rows: readonly Row[]): WireRow[] =>
  rows.map(([name, status, body, type, headers]) => ({ wire, name, status, body, type, ...(headers && { headers }) }));

/** Every error of every provider we speak to, with its class. */
export const wireTable: readonly WireRow[] = [
  ...rowsOf('openai-transcription', openAiTranscription),
  ...rowsOf('moss', moss),
  ...rowsOf('pyannote', pyannote),
  ...rowsOf('openai-chat', openAiChat),
  ...rowsOf('ollama-chat', ollama),
  ...rowsOf('gemini', geminiRows),
  ...rowsOf('deepgram', deepgram),
];
