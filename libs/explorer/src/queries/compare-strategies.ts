import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  mostCompared,
  type ComparedStrategies,
  type ComparedStrategy,
  type CompareQuery,
} from '../contract.ts';
import type { Asking, SearchEngine, SearchHit } from '../search-port.ts';
import { toSearchFilter } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';
import { itemOf } from './list-strategies.ts';

export class CompareStrategies extends Query<ComparedStrategies> {
  readonly parameters: CompareQuery;
  readonly asking: Asking;

  constructor(parameters: CompareQuery, asking: Asking) {
    super();
    this.parameters = parameters;
    this.asking = asking;
  }
}

const comparedOf = (hit: SearchHit): ComparedStrategy => ({
  ...itemOf(hit),
  comments: hit.figures.comments,
  symbol: hit.symbol,
  pine_version: hit.pineVersion,
  backtesting_range_start: hit.backtestingStart,
  backtesting_range_end: hit.backtestingEnd,
});

@QueryHandler(CompareStrategies)
export class CompareStrategiesHandler implements IQueryHandler<CompareStrategies> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters: { ids }, asking }: CompareStrategies): Promise<ComparedStrategies> {
    const page = { sort: 'likes', order: 'desc', offset: 0, limit: mostCompared } as const;
    const { hits } = await this.#engine.search(
      { filter: { ...toSearchFilter({}), among: ids }, page },
      asking,
    );
    const strategies = ids.flatMap((id) => hits.filter(({ urlId }) => urlId === id).map(comparedOf));
    return { strategies };
  }
}
