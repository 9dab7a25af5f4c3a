import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import { SEARCH_ENGINE, type RequestOptions, type SearchEngine } from '@tapedeck/search-engine/engine';
import { strategyId } from '@tapedeck/strategies/contract';
import type { SimilarStrategies } from '../contract.ts';
import { itemOf } from './strategy-list.ts';

export class FindSimilar extends Query<SimilarStrategies> {
  constructor(
    readonly urlId: string,
    readonly limit: number,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

@QueryHandler(FindSimilar)
export class FindSimilarHandler implements IQueryHandler<FindSimilar> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  /** @throws DomainError INVALID_STRATEGY_ID, STRATEGY_NOT_FOUND */
  async execute({ urlId, limit, options }: FindSimilar): Promise<SimilarStrategies> {
    const found = await this.#engine.similar(strategyId(urlId), limit, options);
    if (found) return { strategies: found.map(itemOf) };
    throw new DomainError('not-found', 'STRATEGY_NOT_FOUND', `There is no strategy "${urlId}".`);
  }
}
