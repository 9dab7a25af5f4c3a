import { setImmediate, setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
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
import { OnePerAccount } from './one-per-account.ts';
import { filterOfSaved } from './saved-query.ts';

export type SeenSearch = Readonly<{ query: string; seenPosition: Position }>;

type Addition = Readonly<{ urlId: string; position: Position }>;

/** Older additions are not counted. */
const maxAdditions = 10_000;

/** While the engine is busy; each search waits in its queue as background work besides. */
const maxAttempts = 3;
const retryAfterMs = 500;

const isBusy = (error: unknown): boolean => error instanceof DomainError && error.code === 'SEARCH_BUSY';

type Counts = readonly (number | null)[];

/** Counts of one state of the catalogue; the same for every account. */
type KnownCounts = Readonly<{ state: string; bySearch: Map<string, number | null> }>;

const maxKnownCounts = 10_000;

const keyOf = ({ query, seenPosition }: SeenSearch): string => `${seenPosition} ${query}`;

const newest = 'select max(position) as position from explorer_additions';

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
  readonly #computations = new OnePerAccount<Counts>();
  #changes = 0;
  #known: KnownCounts = { state: '', bySearch: new Map() };

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
    feed.onChange(() => this.#changes++);
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
    account: AccountId,
    searches: readonly SeenSearch[],
    options: RequestOptions = {},
  ): Promise<Counts> {
    if (searches.length === 0) return [];
    const key = JSON.stringify(searches.map(keyOf));
    const work = (signal: AbortSignal): Promise<Counts> => this.#countAll(searches, { signal });
    return this.#computations.run(account, key, work, options.signal);
  }

  async #countAll(searches: readonly SeenSearch[], options: RequestOptions): Promise<Counts> {
    try {
      this.#feed.assertReady();
      const known = await this.#knownCounts();
      const unknown = searches.filter((search) => !known.has(keyOf(search)));
      if (unknown.length > 0) await this.#addCounts(known, unknown, options);
      return searches.map((search) => known.get(keyOf(search)) ?? null);
    } catch (error) {
      if (!options.signal?.aborted) this.#logger.warn({ err: error }, 'new matches not counted');
      return searches.map(() => null);
    }
  }

  /** Those of the present state; another state begins with none. */
  async #knownCounts(): Promise<Map<string, number | null>> {
    const changes = this.#changes;
    const { rows } = await this.#databases.catalogue.query<{ position: string | null }>(newest);
    const state = `${changes} ${rows[0]?.position ?? 'none'}`;
    const isFull = this.#known.bySearch.size > maxKnownCounts;
    if (this.#known.state !== state || isFull) this.#known = { state, bySearch: new Map() };
    return this.#known.bySearch;
  }

  async #addCounts(
    known: Map<string, number | null>,
    searches: readonly SeenSearch[],
    options: RequestOptions,
  ): Promise<void> {
    const earliest = searches.map((search) => search.seenPosition).reduce((a, b) => (a < b ? a : b));
    const additions = await this.#since(earliest);
    for (const search of searches) {
      known.set(keyOf(search), await this.#countOne(search, additions, options));
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
