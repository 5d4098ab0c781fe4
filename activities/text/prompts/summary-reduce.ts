export const summaryReducePrompt = `You are given summaries of consecutive parts of one podcast episode, in order. Make one summary of the whole of them.
Keep to what they say. Merge what is said twice; leave the least important out.

Answer with JSON only, in the language of the summaries:
- title: at most 12 words, saying what the whole episode is about.
- bullets: 5 to 10 self-contained sentences, the most important first.
- key_quotes, entities, timestamps: empty lists.`;
