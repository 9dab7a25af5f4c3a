import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Scale } from '@tapedeck/search-engine/contract';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import type { HistogramAnswer, HistogramQuery } from '../contract.ts';

export class FindHistogram extends Query<HistogramAnswer> {
  constructor(
    readonly parameters: HistogramQuery,
    readonly scale: Scale,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

@QueryHandler(FindHistogram)
export class FindHistogramHandler implements IQueryHandler<FindHistogram> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, scale, options }: FindHistogram): Promise<HistogramAnswer> {
    const { histograms, position, demo } = await this.#engine.search(
      { filter: toSearchFilter(parameters), histograms: { [parameters.field]: scale } },
      options,
    );
    const [histogram] = histograms;
    if (!histogram) throw new Error(`The engine gave no histogram of ${parameters.field}.`);
    return { ...histogram, meta: { position: position.toString(), demo } };
  }
}
