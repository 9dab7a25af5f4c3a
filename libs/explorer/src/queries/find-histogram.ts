import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { HistogramAnswer, HistogramQuery, Scale } from '../contract.ts';
import type { SearchEngine } from '../search-port.ts';
import { toSearchFilter } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';

export class FindHistogram extends Query<HistogramAnswer> {
  readonly parameters: HistogramQuery;
  readonly scale: Scale;

  constructor(parameters: HistogramQuery, scale: Scale) {
    super();
    this.parameters = parameters;
    this.scale = scale;
  }
}

@QueryHandler(FindHistogram)
export class FindHistogramHandler implements IQueryHandler<FindHistogram> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, scale }: FindHistogram): Promise<HistogramAnswer> {
    const { histograms, position, demo } = await this.#engine.search({
      filter: toSearchFilter(parameters),
      histograms: { [parameters.field]: scale },
    });
    const [histogram] = histograms;
    if (!histogram) throw new Error(`The engine gave no histogram of ${parameters.field}.`);
    return { ...histogram, meta: { position: position.toString(), demo } };
  }
}
