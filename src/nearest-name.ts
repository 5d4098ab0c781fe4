/** Levenshtein distance: the fewest insertions, deletions and replacements that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** `retriesBeforeTrip`, `retries-before-trip` and `retries_before_trip` are the same name to a person. */
function canonical(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s.]+/g, '_')
    .toLowerCase();
}

/** `transcribe` and `transcription`: the same stem, another ending. */
function sharesStem(a: string, b: string): boolean {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length >= 5 && length >= 0.7 * a.length;
}

/**
 * The known name that a misspelt one most likely meant, or undefined when nothing is near: at most a third of the
 * letters differ, one name contains the other, or both begin alike.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = canonical(name);
  if (wanted === '') return undefined;
  let best: { candidate: string; cost: number } | undefined;
  for (const candidate of known) {
    const other = canonical(candidate);
    const distance = editDistance(wanted, other);
    const longest = Math.max(wanted.length, other.length);
    const contains = wanted.length >= 3 && (other.includes(wanted) || wanted.includes(other));
    // Letters left off at an end are more often meant than letters mistyped.
    const cost = contains ? distance / 3 : distance;
    const near = contains || sharesStem(wanted, other) || distance <= Math.max(2, Math.floor(longest / 3));
    if (near && (best === undefined || cost < best.cost)) best = { candidate, cost };
  }
  return best?.candidate;
}

/** `; did you mean "x"?`, or nothing when no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
