import { transcriptText } from '../../src/grounding.js';
import { interleave } from '../../src/interleave.js';
import { metadataFacts, type KgFacts, type KgPerson } from '../../src/knowledge-graph.js';
import { labelledChunks } from '../../src/labelled-transcript.js';
import { resolveSpeakerNames, showNotesOf, type SpeakerName } from '../../src/speaker-names.js';
import { parseAnswer } from '../../src/structured-answers/answer-shape.js';
import { knowledgeGraphShape, type KnowledgeGraphAnswer } from '../../src/structured-answers/knowledge-graph.js';
import { foldText, indexOfWords } from '../../src/words.js';
import type { TextEngineInput } from './engine.js';
import { inOrder } from './in-order.js';
import type { ModelCalls, Optional } from './model-calls.js';
import { knowledgeGraphPrompt } from './prompts/knowledge-graph.js';

const maxOutputTokens = 2000;
const maxNameChars = 80;

export interface FoundFacts {
  readonly facts: KgFacts;
  readonly metadataOnly: boolean;
  readonly degraded: string | undefined;
}

/**
 * What a model finds for the graph, chunk by chunk. An invalid answer is not asked for again: that chunk adds nothing,
 * and when none does, the graph is made of metadata alone. Never throws for an answer; endpoint failures pass through.
 */
export async function graphFactsByModel(calls: ModelCalls, input: TextEngineInput): Promise<FoundFacts> {
  const { episode, transcript } = input;
  const speakers = resolveSpeakerNames(transcript, episode);
  const speakerLines = speakers.map((one) => `${one.name} (${one.role})`).join(', ') || 'unknown';
  const head = `Show notes:\n${showNotesOf(episode).slice(0, 3000)}\n\nSpeakers: ${speakerLines}\n\nTranscript:\n`;
  const room = calls.userChars(knowledgeGraphPrompt, maxOutputTokens, transcriptText(transcript)) - head.length;
  const chunks = labelledChunks(transcript, speakers, Math.max(200, room));
  const outcomes = await inOrder({ items: chunks, task: (chunk) => extract(calls, head + chunk) });
  const answers = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const missing = outcomes.find((outcome) => outcome.missing !== undefined)?.missing;
  const facts = merged(answers, input, speakers);
  if (facts.topics.length + facts.people.length + facts.organizations.length === speakers.length) {
    const why = missing ?? 'the answer names nothing that was said';
    return { facts: metadataFacts(episode, speakers), metadataOnly: true, degraded: `metadata-only graph: ${why}` };
  }
  const degraded = missing === undefined ? undefined : `parts of the graph are missing: ${missing}`;
  return { facts, metadataOnly: false, degraded };
}

function extract(calls: ModelCalls, user: string): Promise<Optional<KnowledgeGraphAnswer>> {
  return calls.askOptional({
    shape: knowledgeGraphShape,
    system: knowledgeGraphPrompt,
    user,
    maxOutputTokens,
    read: (text) => parseAnswer(knowledgeGraphShape, text),
    maxReroll: 0,
  });
}

/** Speakers first; of the rest, each part of the episode in turn, only names that were said or stand in the show notes. */
function merged(
  answers: readonly KnowledgeGraphAnswer[],
  { episode, transcript }: TextEngineInput,
  speakers: readonly SpeakerName[],
): KgFacts {
  const known = foldText(`${transcriptText(transcript)}\n${showNotesOf(episode)}`).text;
  const isKnown = ({ name }: { readonly name: string }): boolean => {
    const words = foldText(name).text;
    return words !== '' && name.length <= maxNameChars && indexOfWords(known, words) >= 0;
  };
  const proposed = interleave(answers.map((answer) => answer.people)).filter(isKnown);
  const spoken = speakers.map(({ name, role }): KgPerson => ({
    name,
    role,
    description: proposed.find((one) => one.name === name)?.description,
  }));
  const others = proposed.filter((person) => !isPartOfOther(person.name, [...spoken, ...proposed]));
  return {
    people: [...spoken, ...others],
    organizations: interleave(answers.map((answer) => answer.organizations)).filter(isKnown),
    topics: interleave(answers.map((answer) => answer.topics)).filter(
      ({ label }) => foldText(label).text !== '' && label.length <= maxNameChars,
    ),
    relations: answers.flatMap((answer) => answer.relations),
  };
}

/** `Sophie` beside `Sophie Lorenz` is no second person. */
function isPartOfOther(name: string, people: readonly { readonly name: string }[]): boolean {
  return people.some((other) => other.name !== name && ` ${other.name} `.includes(` ${name} `));
}
