import { createHash } from 'node:crypto';
import { entailmentShape } from '../../../src/structured-answers/entailment.js';
import { insightValueGateShape } from '../../../src/structured-answers/insight-value-gate.js';
import { insightsShape } from '../../../src/structured-answers/insights.js';
import { knowledgeGraphShape } from '../../../src/structured-answers/knowledge-graph.js';
import { quotesShape } from '../../../src/structured-answers/quotes.js';
import { speakerNamesShape } from '../../../src/structured-answers/speaker-names.js';
import { summaryShape } from '../../../src/structured-answers/summary.js';
import { entailmentPrompt } from './entailment.js';
import { insightValueGatePrompt } from './insight-value-gate.js';
import { insightsPrompt } from './insights.js';
import { knowledgeGraphPrompt } from './knowledge-graph.js';
import { quotesPrompt } from './quotes.js';
import { speakerNamesPrompt } from './speaker-names.js';
import { summaryPrompt } from './summary.js';
import { summaryReducePrompt } from './summary-reduce.js';

/**
 * A version for each text stage, computed from all prompts and answer schemas that its calls use: whoever edits one of
 * them changes the identity of just those artifacts that depend on it, and cannot forget to.
 */
export const promptVersions = {
  summarize: versionOf('summary', [summaryPrompt, summaryReducePrompt, summaryShape.jsonSchema]),
  gi: versionOf('gi', [
    insightsPrompt,
    insightsShape.jsonSchema,
    insightValueGatePrompt,
    insightValueGateShape.jsonSchema,
    quotesPrompt,
    quotesShape.jsonSchema,
    entailmentPrompt,
    entailmentShape.jsonSchema,
    speakerNamesPrompt,
    speakerNamesShape.jsonSchema,
  ]),
  kg: versionOf('kg', [knowledgeGraphPrompt, knowledgeGraphShape.jsonSchema]),
} as const;

function versionOf(name: string, parts: readonly unknown[]): string {
  return `${name}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}`;
}
