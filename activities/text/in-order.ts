/** The results of an asynchronous task for each item, one after the other: a permit is leave for one call at a time. */
export function inOrder<Item, Result>(query: {
  readonly items: readonly Item[];
  readonly task: (item: Item, index: number) => Promise<Result>;
}): Promise<Result[]> {
  return query.items.reduce<Promise<Result[]>>(
    async (before, item, index) => [...(await before), await query.task(item, index)],
    Promise.resolve([]),
  );
}
