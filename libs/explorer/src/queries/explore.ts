import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { defaultScale, type Exploration, type ExploreQuery } from '../contract.ts';
import type { Asking, SearchEngine } from '../search-port.ts';
import { toSearchQuery } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';
import { listOf } from './list-strategies.ts';
import { rangesOf } from './find-ranges.ts';

/** A whole interaction: rows, total, all eight histograms and the ranges, of one catalogue. */
export class Explore extends Query<Exploration> {
  readonly parameters: ExploreQuery;
  readonly asking: Asking;

  constructor(parameters: ExploreQuery, asking: Asking) {
    super();
    this.parameters = parameters;
    this.asking = asking;
  }
}

@QueryHandler(Explore)
export class ExploreHandler implements IQueryHandler<Explore> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, asking }: Explore): Promise<Exploration> {
    const histograms = { ...defaultScale, ...parameters.scales };
    const query = { ...toSearchQuery(parameters), histograms, ranges: true };
    const answer = await this.#engine.search(query, asking);
    return {
      ...listOf(answer, parameters),
      histograms: [...answer.histograms],
      ranges: rangesOf(answer),
    };
  }
}
