import { PharosError } from "./errors.js";

/** The parameters that say which page is meant. */
export interface Position {
  cursor?: string;
  offset?: number;
}

/** The position of the page after `page`; undefined where that is the last. */
export type Next = (page: object, position: Position) => Position | undefined;

/**
 * A list, page by page. Nothing is asked for until somebody wants it:
 *
 * - `for await (const item of list)` goes through all items of all pages.
 * - `await list` is the first page, as the API has it.
 * - `for await (const page of list.pages())` goes through the pages.
 */
export class Pages<P extends { items: I[] }, I> implements PromiseLike<P>, AsyncIterable<I> {
  readonly #read: (position: Position) => Promise<P>;
  readonly #next: Next;
  #first: Promise<P> | undefined;

  constructor(read: (position: Position) => Promise<P>, next: Next) {
    this.#read = read;
    this.#next = next;
  }

  /** The first page. */
  then<A = P, B = never>(
    done?: ((page: P) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#read({});
    return this.#first.then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(null, failed);
  }

  finally(settled?: (() => void) | null): Promise<P> {
    return this.then().finally(settled);
  }

  /** All pages. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let position: Position | undefined = {};
    let page = await this.then();
    for (;;) {
      yield page;
      position = this.#next(page, position);
      if (!position) return;
      page = await this.#read(position);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<I, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** The items up to `max`, as many pages as that takes. */
  async toArray({ max }: { max: number }): Promise<I[]> {
    const items: I[] = [];
    if (max <= 0) return items;
    for await (const item of this) if (items.push(item) >= max) break;
    return items;
  }
}

/** How the lists of an operation go on. */
export function nextOf(paging: "single" | "cursor" | "offset" | undefined, total: string | undefined): Next {
  if (paging === "offset") {
    return (page) => {
      const { items, offset, [total ?? "total"]: all } = page as Record<string, unknown> & { items: unknown[] };
      const reached = Number(offset) + items.length;
      return items.length > 0 && reached < Number(all) ? { offset: reached } : undefined;
    };
  }
  return (page, position) => {
    const { has_more, next_cursor } = page as { has_more?: boolean; next_cursor?: string | null };
    if (!has_more || !next_cursor) return undefined;
    if (next_cursor === position.cursor) throw new PharosError("The list does not go on: its cursor came twice.");
    return { cursor: next_cursor };
  };
}
