import { itemRecord } from '@tapedeck/search-engine/contract';
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
  ...itemRecord(
    (field) => numericText(hit.figures[field]),
    (field) => hit.figures[field],
  ),
  categories: [...hit.categories],
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
