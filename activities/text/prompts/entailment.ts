export const entailmentPrompt = `You check evidence. You are given numbered pairs of an insight and a quote from a podcast.
A quote supports its insight when somebody who heard only the quote would agree that the insight is what was said. The same subject alone is no support.

Answer with JSON only: verdicts, one for each pair, with its number (pair) and supported, true or false.`;
