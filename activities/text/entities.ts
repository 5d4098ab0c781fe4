import nlp from 'compromise';

export interface Entities {
  /** Most often named first. */
  readonly people: readonly string[];
  readonly organizations: readonly string[];
  readonly topics: readonly string[];
}

/** A name that the library does not know must be said this often to count as an organisation. */
const minMentions = 2;
const capitalised = /^\p{Lu}[^ ]*(?: (?:& )?\p{Lu}[^ ]*)*$/u;
const noTopic =
  /\b(?:today|tomorrow|yesterday|weeks?|years?|months?|days?|times?|episodes?|shows?|things?|ways?|lots?|parts?|people|podcasts?|version|question|words?|answers?|listeners|guests?|idea|here|there|out|up|down|back|right|next|its|my|our|your|their|his|her)\b|[^\p{L}\p{N}' -]/u;
const monthsAndDays =
  /^(?:I|January|February|March|April|May|June|July|August|September|October|November|December|\w+day)$/;

/**
 * People, organisations and topics by rule and word list (`compromise`, whose model is in its package). It finds most
 * people, few organisations, and as topics noun phrases that recur. `people` (the speakers) and `show` are names that
 * need no finding; the speakers come first among the people.
 */
export function findEntities(query: {
  readonly text: string;
  readonly people: readonly string[];
  readonly show: string;
}): Entities {
  const document = nlp(query.text);
  const people = withoutPartsOfOthers([...query.people, ...ranked(textsOf(document.people()))]);
  const isFree = (name: string): boolean => ![...people, query.show].some((one) => sharesWord(one, name));
  const listed = ranked(textsOf(document.organizations())).filter((name) => capitalised.test(name));
  const organizations = withoutPartsOfOthers([...listed, ...recurringNames(query.text)]).filter(isFree);
  const phrases = textsOf(document.match('#Adjective? #Noun+').not('(#Pronoun|#ProperNoun|#Date|#Value)'));
  const topics = topicsOf(phrases).filter(
    (label) => isFree(label) && !organizations.some((one) => sharesWord(one, label)),
  );
  return { people, organizations, topics };
}

/** The library types its output as `any`. */
function textsOf(view: { out(format: 'array'): unknown }): string[] {
  const texts = view.out('array');
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
}

/** Capitalised names that stand after a word in lower case, where the capital means something, and are said more than once. */
function recurringNames(text: string): string[] {
  const name = /(?<=(?:^|[^\p{L}'’])\p{Ll}[\p{L}'’]*,? )\p{Lu}[\p{L}\p{N}]+(?: (?:& )?\p{Lu}[\p{L}\p{N}]+)*/gu;
  return ranked([...text.matchAll(name)].map((match) => match[0])).filter(
    (one) => !monthsAndDays.test(one) && text.split(one).length > minMentions,
  );
}

/** `Sophie` beside `Sophie Laurent` is no second person; the first of the same name stays. */
function withoutPartsOfOthers(names: readonly string[]): string[] {
  return names.filter(
    (name, index) =>
      !names.some((other, at) => at !== index && (isPart(name, other) || (keyOf(name) === keyOf(other) && at < index))),
  );
}

function isPart(name: string, other: string): boolean {
  return other.length > name.length && ` ${keyOf(other)} `.includes(` ${keyOf(name)} `);
}

/** Phrases of two or three words that recur, then those said once, then single words that recur. */
function topicsOf(phrases: readonly string[]): string[] {
  const cleaned = phrases.map((phrase) => phrase.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const useful = cleaned.filter((phrase) => phrase.length > 3 && !noTopic.test(phrase));
  const words =
    (count: number) =>
    (phrase: string): boolean =>
      phrase.split(' ').length === count;
  const pairs = useful.filter((phrase) => words(2)(phrase) || words(3)(phrase));
  return [...new Set([...ranked(pairs, 2), ...ranked(useful.filter(words(1)), 3), ...ranked(pairs)])];
}

/** Without repetitions, the most frequent first, then in the order of first mention. */
function ranked(names: readonly string[], min = 1): string[] {
  const counts = new Map<string, { name: string; count: number }>();
  for (const raw of names) {
    const name = raw.replace(/[’']s$/, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (name === '') continue;
    const entry = counts.get(keyOf(name)) ?? { name, count: 0 };
    entry.count += 1;
    counts.set(keyOf(name), entry);
  }
  return [...counts.values()]
    .filter(({ count }) => count >= min)
    .sort((a, b) => b.count - a.count)
    .map(({ name }) => name);
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function sharesWord(a: string, b: string): boolean {
  const words = new Set(keyOf(a).split(' '));
  return keyOf(b)
    .split(' ')
    .some((word) => words.has(word));
}
