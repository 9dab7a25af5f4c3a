import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { defaultScale } from '@tapedeck/search-engine/contract';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import { type Exploration, type ExploreQuery } from '../contract.ts';
import { rangesOf } from './find-ranges.ts';
import { listOf, searchPageOf } from './strategy-list.ts';

/** A whole interaction: rows, total, all histograms and the ranges, of one catalogue. */
export class Explore extends Query<Exploration> {
  constructor(
    readonly parameters: ExploreQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

@QueryHandler(Explore)
export class ExploreHandler implements IQueryHandler<Explore> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, options }: Explore): Promise<Exploration> {
    const query = {
      filter: toSearchFilter(parameters),
      page: searchPageOf(parameters),
      histograms: { ...defaultScale, ...parameters.scales },
      ranges: true,
    };
    const answer = await this.#engine.search(query, options);
    return {
      ...listOf(answer, parameters),
      histograms: [...answer.histograms],
      ranges: rangesOf(answer),
    };
  }
}
