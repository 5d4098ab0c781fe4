import { sentencesOf, type ChatAnswers, type ChatPrompt } from './chat-answers.js';

/** Good answers by schema name, made of nothing but the prompt, so that quotes are verbatim and names are said. */
export const defaultChatAnswers: ChatAnswers = {
  summary(prompt) {
    const said = distinctSentences(prompt);
    return {
      title: (said[0] ?? 'An episode').replace(/[.?!]$/, ''),
      bullets: said.slice(0, 5),
      key_quotes: said.slice(1, 3),
      entities: peopleIn(prompt).map((name) => ({ name, kind: 'person' })),
      timestamps: clocksIn(prompt).map((time) => ({ time, label: 'A new subject' })),
    };
  },

  insights: (prompt) => ({
    insights: distinctSentences(prompt)
      .filter((sentence) => sentence.split(' ').length >= 6)
      .slice(0, 6)
      .map((text) => ({ text, type: text.endsWith('?') ? 'question' : 'claim' })),
  }),

  insight_value_gate: ({ user }) => ({
    ratings: numbersIn(user).map((insight) => ({ insight, value: insight === 0 ? 'core' : 'useful' })),
  }),

  quotes({ user }) {
    const [list = '', transcript = ''] = user.split('\n\nTranscript:\n');
    const insights = [...list.matchAll(/^(\d+)\. (.+)$/gm)];
    return {
      quotes: insights.flatMap(([, insight, quote = '']) =>
        transcript.includes(quote) ? [{ insight: Number(insight), quote }] : [],
      ),
    };
  },

  entailment: ({ user }) => ({ verdicts: numbersIn(user).map((pair) => ({ pair, supported: true })) }),

  knowledge_graph(prompt) {
    const people = peopleIn(prompt);
    const organizations = prompt.user.includes('Alpine Trust') ? ['Alpine Trust'] : [];
    const label = 'the subject of the episode';
    return {
      topics: [{ label, description: distinctSentences(prompt)[0] ?? 'What is talked about.' }],
      people: people.map((name, index) => ({
        name,
        role: index === 0 ? 'host' : 'mentioned',
        description: 'Is named.',
      })),
      organizations: organizations.map((name) => ({ name, description: 'Is named.' })),
      relations: people.slice(0, 1).map((from) => ({ from, to: label, relation: 'talks about' })),
    };
  },

  speaker_names({ user }) {
    const [evidence, name] = /I am ([A-Z]\w+ [A-Z]\w+)/.exec(user) ?? [];
    const speaker = /SPEAKER_\d+/.exec(user)?.[0];
    return { speakers: evidence && name && speaker ? [{ speaker, name, role: 'host', evidence }] : [] };
  },
};

function distinctSentences({ user }: ChatPrompt): string[] {
  return [...new Set(sentencesOf(user))];
}

/** The people of the canned speech (`canned-speech.ts`) that the prompt names. */
function peopleIn({ user }: ChatPrompt): string[] {
  const names = ['Maria Torres', 'David Chen', 'Sarah Novak'];
  return names.filter((name) => user.includes(name));
}

function clocksIn({ user }: ChatPrompt): string[] {
  return [...user.matchAll(/^\[(\d+:\d{2}(?::\d{2})?)\]/gm)].slice(0, 3).map(([, clock = '0:00']) => clock);
}

/** The numbers of a numbered list that counts from 0. */
function numbersIn(user: string): number[] {
  return [...user.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
}
