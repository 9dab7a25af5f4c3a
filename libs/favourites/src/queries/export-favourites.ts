import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/settings';
import { CONFIG } from '@tapedeck/platform/tokens';
import { sortFavourites, withAnyTag, type FavouritesExportQuery } from '../contract.ts';
import { favouritesCsv } from '../favourites-csv.ts';
import { ListFavourites } from './list-favourites.ts';

/** The text of a CSV file. */
export class ExportFavourites extends Query<string> {
  constructor(
    readonly accountId: AccountId,
    readonly parameters: FavouritesExportQuery,
  ) {
    super();
  }
}

@QueryHandler(ExportFavourites)
export class ExportFavouritesHandler implements IQueryHandler<ExportFavourites> {
  readonly #queries: QueryBus;
  readonly #origin: string;

  constructor(queries: QueryBus, @Inject(CONFIG) { publicOrigin }: ApiConfig) {
    this.#queries = queries;
    this.#origin = publicOrigin;
  }

  async execute({ accountId, parameters }: ExportFavourites): Promise<string> {
    const all = await this.#queries.execute(new ListFavourites(accountId));
    const shown = withAnyTag(all, parameters.tag);
    return favouritesCsv(sortFavourites(shown, parameters.sort_by, parameters.sort_order), this.#origin);
  }
}
