import type { StrategyListItem, StrategyList } from '@tapedeck/explorer/contract';
import { maxWindow } from '@tapedeck/search-engine/contract';
import { maxPage, pageSize } from '../filter-state/filters.ts';
import type { ResultPlace } from './result-place.ts';

export type Neighbour = Readonly<{ urlId: string; title: string; place: ResultPlace }>;

/** Null where there is none; undefined as long as its page of the result is not known. */
export type Neighbours = Readonly<{
  previous: Neighbour | null | undefined;
  next: Neighbour | null | undefined;
  /** From 1. */
  number: number;
  total: number;
}>;

export type ResultPages = Readonly<{
  before: StrategyList | undefined;
  current: StrategyList | undefined;
  after: StrategyList | undefined;
}>;

export const pageOf = ({ position }: ResultPlace): number => Math.floor(position / pageSize) + 1;

/** The pages that have to be known beside the strategy's own: those on which a neighbour is. */
export const furtherPages = (
  { current }: Pick<ResultPages, 'current'>,
  place: ResultPlace,
  urlId: string,
): Readonly<{ before: number | null; after: number | null }> => {
  const index = current?.strategies.findIndex(({ url_id }) => url_id === urlId) ?? -1;
  if (!current || index === -1) return { before: null, after: null };
  const page = pageOf(place);
  const isLast = index === current.strategies.length - 1 && page * pageSize < current.total;
  return {
    before: index === 0 && page > 1 ? page - 1 : null,
    after: isLast && page < maxPage ? page + 1 : null,
  };
};

/**
 * The strategies before and after this one in the result it was opened from. Null when it is no longer where it was: the
 * catalogue has changed since.
 */
export const neighboursOf = (pages: ResultPages, place: ResultPlace, urlId: string): Neighbours | null => {
  const { before, current, after } = pages;
  const index = current?.strategies.findIndex(({ url_id }) => url_id === urlId) ?? -1;
  if (!current || index === -1) return null;
  const position = (pageOf(place) - 1) * pageSize + index;
  const further = furtherPages(pages, place, urlId);
  const neighbour = (item: StrategyListItem | undefined, at: number): Neighbour | null =>
    item && item.url_id !== urlId
      ? { urlId: item.url_id, title: item.title, place: { query: place.query, position: at } }
      : null;
  const beyond = (
    page: number | null,
    list: StrategyList | undefined,
    item: StrategyListItem | undefined,
    at: number,
  ): Neighbour | null | undefined => {
    if (page === null) return null;
    return list ? neighbour(item, at) : undefined;
  };
  return {
    previous:
      index > 0
        ? neighbour(current.strategies[index - 1], position - 1)
        : beyond(further.before, before, before?.strategies.at(-1), position - 1),
    next:
      index < current.strategies.length - 1
        ? neighbour(current.strategies[index + 1], position + 1)
        : beyond(further.after, after, after?.strategies[0], position + 1),
    number: position + 1,
    total: Math.min(current.total, maxWindow),
  };
};
