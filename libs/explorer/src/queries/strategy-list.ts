import type { SearchAnswer, SearchHit, SearchPage } from '@tapedeck/search-engine/engine';
import type { ListQuery, StrategyList, StrategyListItem } from '../contract.ts';

/** Order and window of the list's parameters. */
export const searchPageOf = (
  query: Pick<ListQuery, 'sort_by' | 'sort_order' | 'page' | 'limit'>,
): SearchPage => ({
  sort: query.sort_by,
  order: query.sort_order,
  offset: (query.page - 1) * query.limit,
  limit: query.limit,
});

const numericText = (value: number | null): string | null => (value === null ? null : String(value));

export const itemOf = (hit: SearchHit): StrategyListItem => ({
  url_id: hit.urlId,
  title: hit.title,
  author: hit.author,
  likes: hit.figures.likes,
  views: hit.figures.views,
  total_trades: numericText(hit.figures.totalTrades),
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
