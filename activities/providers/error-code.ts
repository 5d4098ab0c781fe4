/** The socket's or client's code of an error, wherever it was wrapped. By shape: errors may come from another realm. */
export function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if ('errors' in at && Array.isArray(at.errors)) at = at.errors[0];
    else at = 'cause' in at ? at.cause : undefined;
  }
  return undefined;
}
