import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { etagOf } from '@tapedeck/platform/http';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { Favourite, FavouriteList } from '../contract.ts';
import type { FavouriteStrategyRow } from '../projections/favourite-strategies.ts';
import type { FavouriteRow } from '../projections/favourites.ts';

export class ListFavourites extends Query<FavouriteList> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

const newestFirst = `
  select f.url_id, f.tags, f.revision, s.title, s.author, s.total_pandl_percent, s.max_drawdown_percent,
         s.profit_factor, s.sharpe_ratio, s.total_trades, s.likes, s.views
    from favourites f
    left join favourite_strategies s using (url_id)
   where f.account_id = $1
   order by f.added_at desc, f.url_id`;

type Row = Pick<FavouriteRow, 'url_id' | 'tags' | 'revision'> & ({ title: null } | FavouriteStrategyRow);

/** The wire carries these figures as text, because JSON has no `Infinity`. */
const numericText = (value: number | null): string | null => (value === null ? null : String(value));

const favouriteOf = (row: Row): Favourite => ({
  urlId: row.url_id,
  tags: [...row.tags],
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
        },
});

@QueryHandler(ListFavourites)
export class ListFavouritesHandler implements IQueryHandler<ListFavourites> {
  readonly #databases: Databases;

  constructor(@Inject(DATABASES) databases: Databases) {
    this.#databases = databases;
  }

  async execute({ accountId }: ListFavourites): Promise<FavouriteList> {
    const { rows } = await this.#databases.tapedeck.query<Row>(newestFirst, [accountId]);
    return rows.map(favouriteOf);
  }
}
