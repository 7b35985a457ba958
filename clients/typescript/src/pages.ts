/** Lists that a server sends page by page. */

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The token that asks for the next page; empty: this is the last. */
  readonly next: string;
}

/** Yields all that is listed, in order; each page is asked for when it is needed. */
export async function* pages<T>(page: (token: string) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  let token = "";
  do {
    const { items, next } = await page(token);
    yield* items;
    token = next;
  } while (token !== "");
}
