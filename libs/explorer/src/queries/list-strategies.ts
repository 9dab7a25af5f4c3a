import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ListQuery, StrategyList, StrategyListItem } from '../contract.ts';
import type { Asking, SearchAnswer, SearchEngine, SearchHit } from '../search-port.ts';
import { toSearchQuery } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';

export class ListStrategies extends Query<StrategyList> {
  readonly parameters: ListQuery;
  readonly asking: Asking;

  constructor(parameters: ListQuery, asking: Asking) {
    super();
    this.parameters = parameters;
    this.asking = asking;
  }
}

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

  async execute({ parameters, asking }: ListStrategies): Promise<StrategyList> {
    return listOf(await this.#engine.search(toSearchQuery(parameters), asking), parameters);
  }
}
