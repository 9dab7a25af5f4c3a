import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { HistogramAnswer, HistogramQuery, Scale } from '../contract.ts';
import type { Asking, SearchEngine } from '../search-port.ts';
import { toSearchFilter } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';

export class FindHistogram extends Query<HistogramAnswer> {
  readonly parameters: HistogramQuery;
  readonly scale: Scale;
  readonly asking: Asking;

  constructor(parameters: HistogramQuery, scale: Scale, asking: Asking) {
    super();
    this.parameters = parameters;
    this.scale = scale;
    this.asking = asking;
  }
}

@QueryHandler(FindHistogram)
export class FindHistogramHandler implements IQueryHandler<FindHistogram> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, scale, asking }: FindHistogram): Promise<HistogramAnswer> {
    const { histograms, position, demo } = await this.#engine.search(
      { filter: toSearchFilter(parameters), histograms: { [parameters.field]: scale } },
      asking,
    );
    const [histogram] = histograms;
    if (!histogram) throw new Error(`The engine gave no histogram of ${parameters.field}.`);
    return { ...histogram, meta: { position: position.toString(), demo } };
  }
}
