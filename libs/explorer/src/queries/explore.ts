import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { defaultScale, type Exploration, type ListQuery } from '../contract.ts';
import type { SearchEngine } from '../search-port.ts';
import { toSearchQuery } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';
import { listOf } from './list-strategies.ts';
import { rangesOf } from './find-ranges.ts';

/** A whole interaction: rows, total, all eight histograms and the ranges, of one catalogue. */
export class Explore extends Query<Exploration> {
  readonly parameters: ListQuery;

  constructor(parameters: ListQuery) {
    super();
    this.parameters = parameters;
  }
}

@QueryHandler(Explore)
export class ExploreHandler implements IQueryHandler<Explore> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters }: Explore): Promise<Exploration> {
    const answer = await this.#engine.search({
      ...toSearchQuery(parameters),
      histograms: defaultScale,
      ranges: true,
    });
    return {
      ...listOf(answer, parameters),
      histograms: [...answer.histograms],
      ranges: rangesOf(answer),
    };
  }
}
