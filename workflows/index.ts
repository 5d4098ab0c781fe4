export { endpointBreaker } from './endpoint-breaker.js';
export { processEpisode } from './process-episode.js';
export { reprocessBatch } from './reprocess-batch.js';
