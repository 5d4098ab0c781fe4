import { entailmentShape } from '../../../src/structured-answers/entailment.js';
import { insightValueGateShape } from '../../../src/structured-answers/insight-value-gate.js';
import { insightsShape } from '../../../src/structured-answers/insights.js';
import { knowledgeGraphShape } from '../../../src/structured-answers/knowledge-graph.js';
import { quotesShape } from '../../../src/structured-answers/quotes.js';
import { speakerNamesShape } from '../../../src/structured-answers/speaker-names.js';
import { summaryShape } from '../../../src/structured-answers/summary.js';

const shapes = [
  summaryShape,
  insightsShape,
  insightValueGateShape,
  knowledgeGraphShape,
  quotesShape,
  entailmentShape,
  speakerNamesShape,
];

describe('answerShape', () => {
  it('names every call once', () => {
    expect(shapes.map((shape) => shape.name)).toEqual([
      'summary',
      'insights',
      'insight_value_gate',
      'knowledge_graph',
      'quotes',
      'entailment',
      'speaker_names',
    ]);
  });

  it.each(shapes.map((shape) => [shape.name, shape.jsonSchema] as const))(
    'exports %s in words that constrained decoding knows',
    (name, jsonSchema) => {
      const text = JSON.stringify(jsonSchema);

      expect(jsonSchema).toMatchObject({ title: name, type: 'object', additionalProperties: false });
      expect(text).not.toMatch(/"(?:\$ref|\$schema|anyOf|oneOf|allOf|pattern|format|default|not|const)":/);
    },
  );
});
