import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore, type UnsealedRow } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { etagOf } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { Favourite, FavouriteList } from '../contract.ts';
import type { FavouriteStrategyRow } from '../projections/favourite-strategies.ts';
import type { FavouriteRow } from '../projections/favourites.ts';

export class ListFavourites extends Query<FavouriteList> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

const newestFirst = `
  select f.url_id, f.tags, f.revision, f.added_at, s.title, s.author, s.total_pandl_percent, s.max_drawdown_percent,
         s.profit_factor, s.sharpe_ratio, s.total_trades, s.likes, s.views, s.revised_at
    from favourites f
    left join favourite_strategies s using (url_id)
   where f.account_id = $1
   order by f.added_at desc, f.url_id`;

type Row = Pick<FavouriteRow, 'url_id' | 'tags' | 'revision' | 'added_at'> &
  ({ title: null } | FavouriteStrategyRow);

/** The wire carries these figures as text, because JSON has no `Infinity`. */
const numericText = (value: number | null): string | null => (value === null ? null : String(value));

const favouriteOf = (row: UnsealedRow<Row, 'tags'>): Favourite => ({
  urlId: row.url_id,
  tags: [...readable(row.tags, [])],
  addedAt: row.added_at.toISOString(),
  etag: etagOf(row.revision),
  strategy:
    row.title === null
      ? null
      : {
          title: row.title,
          author: row.author,
          total_pandl_percent: numericText(row.total_pandl_percent),
          max_drawdown_percent: numericText(row.max_drawdown_percent),
          profit_factor_numeric: numericText(row.profit_factor),
          sharpe_ratio_numeric: numericText(row.sharpe_ratio),
          total_trades: numericText(row.total_trades),
          likes: row.likes,
          views: row.views,
          revised_at: row.revised_at?.toISOString() ?? null,
        },
});

@QueryHandler(ListFavourites)
export class ListFavouritesHandler implements IQueryHandler<ListFavourites> {
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId }: ListFavourites): Promise<FavouriteList> {
    const { rows } = await this.#databases.tapedeck.query<Row>(newestFirst, [accountId]);
    return (await unsealRows(this.#store, rows, ['tags'])).map(favouriteOf);
  }
}
