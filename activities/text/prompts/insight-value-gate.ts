export const insightValueGatePrompt = `You rate insights taken from one podcast episode. Each has a number.
core: it carries the episode; useful: specific, and worth knowing without the rest; minor: true, but general or a detail; filler: empty, an advert, small talk, or about the show itself.

Answer with JSON only: ratings, one for each insight, with its number (insight) and its value.`;
