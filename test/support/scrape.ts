/** One series of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a worker exposes at its metrics address, now. */
export async function scrape(address: string): Promise<Scrape> {
  const response = await fetch(`http://${address}/metrics`);
  return new Scrape(await response.text());
}

export class Scrape {
  readonly samples: readonly Sample[];

  constructor(readonly text: string) {
    this.samples = text.split('\n').flatMap(readSample);
  }

  /** Of all series of that name that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.of(name, labels).reduce((total, { value }) => total + value, 0);
  }

  of(name: string, labels: Readonly<Record<string, string>> = {}): Sample[] {
    return this.samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  }
}

function readSample(line: string): Sample[] {
  const found = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i.exec(line);
  if (found === null) return [];
  const [, name = '', labels = '', value = ''] = found;
  const pairs = [...labels.matchAll(/([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gi)];
  return [
    { name, labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])), value: Number(value) },
  ];
}
