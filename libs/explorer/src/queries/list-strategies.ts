import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchAnswer,
  type SearchEngine,
  type SearchFilter,
  type SearchHit,
  type SearchPage,
} from '@tapedeck/search-engine/engine';
import type { ListQuery, StrategyList, StrategyListItem } from '../contract.ts';

export class ListStrategies extends Query<StrategyList> {
  constructor(
    readonly parameters: ListQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

/** Filter and page of the list's parameters. */
export const toSearchQuery = (query: ListQuery): Readonly<{ filter: SearchFilter; page: SearchPage }> => ({
  filter: toSearchFilter(query),
  page: {
    sort: query.sort_by,
    order: query.sort_order,
    offset: (query.page - 1) * query.limit,
    limit: query.limit,
  },
});

const numericText = (value: number | null): string | null => (value === null ? null : String(value));

export const itemOf = (hit: SearchHit): StrategyListItem => ({
  url_id: hit.urlId,
  title: hit.title,
  author: hit.author,
  likes: hit.figures.likes,
  views: hit.figures.views,
  total_trades: numericText(hit.totalTrades),
  total_pandl_percent: numericText(hit.figures.totalPandlPercent),
  max_drawdown_percent: numericText(hit.figures.maxDrawdownPercent),
  profit_factor_numeric: numericText(hit.figures.profitFactor),
  sharpe_ratio_numeric: numericText(hit.figures.sharpeRatio),
  categories: [...hit.categories],
  code_lines: hit.figures.codeLines,
  publication_date: hit.publicationDate,
});

/** A page of strategies as the wire has it. */
export const listOf = (
  { total, hits, position, demo }: SearchAnswer,
  { page, limit }: ListQuery,
): StrategyList => ({
  strategies: hits.map(itemOf),
  total,
  totalCount: total,
  meta: { page, limit, pages: Math.ceil(total / limit), position: position.toString(), demo },
});

@QueryHandler(ListStrategies)
export class ListStrategiesHandler implements IQueryHandler<ListStrategies> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, options }: ListStrategies): Promise<StrategyList> {
    return listOf(await this.#engine.search(toSearchQuery(parameters), options), parameters);
  }
}
