import { setImmediate, setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { DATABASES, LOGGER } from '@tapedeck/platform/tokens';
import {
  CatalogueFeed,
  SEARCH_ENGINE,
  storedCataloguePosition,
  toSearchFilter,
  type RequestOptions,
  type SearchAnswer,
  type SearchEngine,
  type SearchFilter,
} from '@tapedeck/search-engine/engine';
import { filterOfSaved } from './saved-query.ts';

export type SeenSearch = Readonly<{ query: string; seenPosition: Position }>;

type Addition = Readonly<{ urlId: string; position: Position }>;

/** Older additions are not counted. */
const maxAdditions = 10_000;

/** While the engine is busy; each search waits in its queue as background work besides. */
const maxAttempts = 3;
const retryAfterMs = 500;

const isBusy = (error: unknown): boolean => error instanceof DomainError && error.code === 'SEARCH_BUSY';

const newestFirst = `
  select url_id, position
    from explorer_additions
   where position > $1
   order by position desc
   limit ${maxAdditions}`;

/** Counts what was added to the catalogue since a search was last seen. */
@Injectable()
export class NewMatches {
  readonly #engine: SearchEngine;
  readonly #feed: CatalogueFeed;
  readonly #databases: Databases<'catalogue'>;
  readonly #logger: Logger;

  constructor(
    @Inject(SEARCH_ENGINE) engine: SearchEngine,
    feed: CatalogueFeed,
    @Inject(DATABASES) databases: Databases<'catalogue'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#engine = engine;
    this.#feed = feed;
    this.#databases = databases;
    this.#logger = logger;
  }

  /** The position of the catalogue that searches show; without the engine, of the catalogue that it would load. */
  async position(): Promise<Position> {
    if (this.#feed.isReady()) {
      const shown = await this.#search(toSearchFilter({}), {}).catch(() => null);
      if (shown) return shown.position;
    }
    return storedCataloguePosition(this.#databases.catalogue);
  }

  /** Per search the matching strategies that were added after `seenPosition`; null where that is not known now. */
  async count(
    searches: readonly SeenSearch[],
    options: RequestOptions = {},
  ): Promise<readonly (number | null)[]> {
    if (searches.length === 0) return [];
    try {
      this.#feed.assertReady();
      const earliest = searches.map((search) => search.seenPosition).reduce((a, b) => (a < b ? a : b));
      const additions = await this.#since(earliest);
      const counts: (number | null)[] = [];
      for (const search of searches) counts.push(await this.#countOne(search, additions, options));
      return counts;
    } catch (error) {
      if (!options.signal?.aborted) this.#logger.warn({ err: error }, 'new matches not counted');
      return searches.map(() => null);
    }
  }

  async #since(position: Position): Promise<readonly Addition[]> {
    const { rows } = await this.#databases.catalogue.query<{ url_id: string; position: string }>(
      newestFirst,
      [position],
    );
    return rows.map((row) => ({ urlId: row.url_id, position: BigInt(row.position) }));
  }

  async #countOne(
    { query, seenPosition }: SeenSearch,
    additions: readonly Addition[],
    options: RequestOptions,
  ): Promise<number | null> {
    const seenFrom = additions.findIndex(({ position }) => position <= seenPosition);
    const unseen = seenFrom < 0 ? additions : additions.slice(0, seenFrom);
    const among = unseen.map(({ urlId }) => urlId);
    if (among.length === 0) return 0;
    const filter = filterOfSaved(query);
    if (!filter) return null;
    // An engine in this process answers without waiting: other requests must run between two searches.
    await setImmediate();
    return (await this.#search({ ...filter, among }, options)).total;
  }

  async #search(filter: SearchFilter, { signal }: RequestOptions, attempt = 1): Promise<SearchAnswer> {
    const options = { client: 'new matches', isBackground: true, ...(signal ? { signal } : {}) };
    try {
      return await this.#engine.search({ filter }, options);
    } catch (error) {
      if (!isBusy(error) || attempt >= maxAttempts) throw error;
      await setTimeout(retryAfterMs * attempt, undefined, options);
      return this.#search(filter, options, attempt + 1);
    }
  }
}
