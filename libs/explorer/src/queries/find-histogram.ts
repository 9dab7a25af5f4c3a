import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { HistogramAnswer, HistogramQuery } from '../contract.ts';
import type { Scale } from '@tapedeck/search-engine/contract';
import {
  type RequestOptions,
  type SearchEngine,
  toSearchFilter,
  SEARCH_ENGINE,
} from '@tapedeck/search-engine/engine';

export class FindHistogram extends Query<HistogramAnswer> {
  readonly parameters: HistogramQuery;
  readonly scale: Scale;
  readonly options: RequestOptions;

  constructor(parameters: HistogramQuery, scale: Scale, options: RequestOptions) {
    super();
    this.parameters = parameters;
    this.scale = scale;
    this.options = options;
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
