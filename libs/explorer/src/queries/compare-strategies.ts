import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
  type SearchHit,
} from '@tapedeck/search-engine/engine';
import {
  maxCompared,
  type ComparedStrategies,
  type ComparedStrategy,
  type CompareQuery,
} from '../contract.ts';
import { itemOf } from './strategy-list.ts';

export class CompareStrategies extends Query<ComparedStrategies> {
  constructor(
    readonly parameters: CompareQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

const comparedOf = (hit: SearchHit): ComparedStrategy => ({
  ...itemOf(hit),
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

  async execute({ parameters: { ids }, options }: CompareStrategies): Promise<ComparedStrategies> {
    const page = { sort: 'likes', order: 'desc', offset: 0, limit: maxCompared } as const;
    const { hits } = await this.#engine.search(
      { filter: { ...toSearchFilter({}), among: ids }, page },
      options,
    );
    const strategies = ids.flatMap((id) => hits.filter(({ urlId }) => urlId === id).map(comparedOf));
    return { strategies };
  }
}
