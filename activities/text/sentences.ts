import winkNLP, { type WinkMethods } from 'wink-nlp';
import model from 'wink-eng-lite-web-model';
import { lexRank, wordOverlap, type Terms } from '../../src/lexrank.js';
import { utterancesOf } from '../../src/grounding.js';
import type { Transcript } from '../../src/transcript.js';

export interface Sentence {
  /** The speaker's own words; offsets count in `transcriptText`. */
  readonly text: string;
  readonly charStart: number;
  readonly charEnd: number;
  readonly terms: Terms;
  /** Neither an advert nor a question nor small talk. */
  readonly telling: boolean;
  /** LexRank among all sentences of the transcript, weighted by length. */
  readonly score: number;
}

/** Loading the model takes 0.1 s; it is made once, when first used, and holds no state between texts. */
let loaded: WinkMethods | undefined;
function nlp(): WinkMethods {
  loaded ??= winkNLP(model);
  return loaded;
}

const minTerms = 4;
const maxSentenceChars = 320;
/** Sentences that share more of their words than this say the same. */
const sameMin = 0.6;
const advert =
  /\b(?:sponsor\w*|promo code|use code|free trial|brought to you by|supported by|backing the show|partners at|support the show)\b|\b\w+\.(?:com|org|io|co)\b/i;
const smallTalk =
  /\b(?:welcome (?:back )?to|welcome back|thanks for|thank you|see you next time|that's it for|be right back|great to be|glad to be|good to have you|joined by|my guest|i'm with)\b/i;

/** Every sentence of a transcript, ranked. A sentence never crosses from one speaker to another. */
export function rankedSentences(transcript: Transcript): Sentence[] {
  const sentences = utterancesOf(transcript).flatMap((utterance) => {
    let cursor = 0;
    let afterAdvert = false;
    return nlp()
      .readDoc(utterance.text)
      .sentences()
      .out()
      .flatMap(shortEnough)
      .flatMap((text) => {
        const at = utterance.text.indexOf(text, cursor);
        if (at < 0) return [];
        cursor = at + text.length;
        const charStart = utterance.charStart + at;
        // What follows "sponsored by" in the same breath praises the sponsor, whatever its words.
        const telling = !afterAdvert && isTelling(text);
        afterAdvert = advert.test(text);
        return [{ text, charStart, charEnd: charStart + text.length, terms: termsOf(text), telling }];
      });
  });
  // What is said again and again word for word would outrank everything by its own copies: each wording counts once.
  const wordings = new Map(sentences.map((sentence) => [sentence.terms.join(' '), sentence.terms]));
  const scores = lexRank([...wordings.values()]);
  const scoreOf = new Map([...wordings.keys()].map((wording, index) => [wording, scores[index] ?? 0]));
  return sentences.map((sentence) => ({
    ...sentence,
    // A longer sentence says more: without this, short phrases made of common words win.
    score: (scoreOf.get(sentence.terms.join(' ')) ?? 0) * Math.sqrt(sentence.terms.length),
  }));
}

interface SentenceChoice {
  readonly sentences: readonly Sentence[];
  readonly count: number;
}

/**
 * The best `count` sentences, in the order in which they are spoken: no adverts, questions or small talk as long as
 * anything else is there, and nothing that says the same twice.
 */
export function salientSentences({ sentences, count }: SentenceChoice): Sentence[] {
  const telling = sentences.filter((sentence) => sentence.telling && sentence.terms.length >= minTerms);
  const chosen: Sentence[] = [];
  for (const sentence of (telling.length > 0 ? telling : [...sentences]).sort(byScore)) {
    if (chosen.length >= count) break;
    if (chosen.every((other) => wordOverlap(other.terms, sentence.terms) <= sameMin)) chosen.push(sentence);
  }
  return chosen.sort((a, b) => a.charStart - b.charStart);
}

/** Speech recognition that sets no full stops gives one sentence without end: it is cut at spaces. */
function shortEnough(sentence: string): string[] {
  const parts: string[] = [];
  for (let rest = sentence.trim(); rest !== '';) {
    const space = rest.length <= maxSentenceChars ? rest.length : rest.lastIndexOf(' ', maxSentenceChars);
    const end = space > 0 ? space : maxSentenceChars;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return parts;
}

function isTelling(text: string): boolean {
  return !text.endsWith('?') && !advert.test(text) && !smallTalk.test(text);
}

function byScore(a: Sentence, b: Sentence): number {
  return b.score - a.score || a.charStart - b.charStart;
}

/* eslint-disable @typescript-eslint/unbound-method -- wink-nlp's readers (`its.*`) are plain functions, typed as methods. */
function termsOf(text: string): string[] {
  const { readDoc, its } = nlp();
  return readDoc(text)
    .tokens()
    .filter((token) => token.out(its.type) === 'word' && !token.out(its.stopWordFlag))
    .out(its.normal);
}
