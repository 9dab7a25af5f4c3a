import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { RequestOptions } from '@tapedeck/search-engine/engine';
import type { SavedSearchList } from '../contract.ts';
import { NewMatches } from '../new-matches.ts';
import type { SavedSearchRow } from '../projections/saved-searches.ts';

export class ListSavedSearches extends Query<SavedSearchList> {
  constructor(
    readonly accountId: AccountId,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

const newestFirst = `
  select id, name, query, seen_position, saved_at
    from saved_searches
   where account_id = $1
   order by saved_at desc, id`;

@QueryHandler(ListSavedSearches)
export class ListSavedSearchesHandler implements IQueryHandler<ListSavedSearches> {
  readonly #databases: Databases;
  readonly #store: EventStore;
  readonly #newMatches: NewMatches;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    newMatches: NewMatches,
  ) {
    this.#databases = databases;
    this.#store = store;
    this.#newMatches = newMatches;
  }

  async execute({ accountId, options }: ListSavedSearches): Promise<SavedSearchList> {
    const { rows: stored } = await this.#databases.tapedeck.query<SavedSearchRow>(newestFirst, [accountId]);
    const rows = await unsealRows(this.#store, stored, ['name', 'query']);
    const counts = await this.#newMatches.count(
      accountId,
      rows.map((row) => ({ query: readable(row.query, ''), seenPosition: BigInt(row.seen_position) })),
      options,
    );
    return rows.map(({ id, name, query, saved_at }, at) => ({
      id,
      name: readable(name, ''),
      query: readable(query, ''),
      savedAt: saved_at.toISOString(),
      newMatches: counts[at] ?? null,
    }));
  }
}
