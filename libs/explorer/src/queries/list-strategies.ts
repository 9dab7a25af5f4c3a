import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import type { ListQuery, StrategyList } from '../contract.ts';
import { listOf, searchPageOf } from './strategy-list.ts';

export class ListStrategies extends Query<StrategyList> {
  constructor(
    readonly parameters: ListQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

@QueryHandler(ListStrategies)
export class ListStrategiesHandler implements IQueryHandler<ListStrategies> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, options }: ListStrategies): Promise<StrategyList> {
    const query = { filter: toSearchFilter(parameters), page: searchPageOf(parameters) };
    return listOf(await this.#engine.search(query, options), parameters);
  }
}
