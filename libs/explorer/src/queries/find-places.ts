import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import { defaultScale, facets, type FacetField } from '@tapedeck/search-engine/contract';
import {
  binOf,
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchAnswer,
  type SearchEngine,
  type SearchFilter,
} from '@tapedeck/search-engine/engine';
import { strategyId } from '@tapedeck/strategies/contract';
import { rankedFields, type FigurePlace, type StrategyPlaces } from '../contract.ts';

export class FindPlaces extends Query<StrategyPlaces> {
  constructor(
    readonly urlId: string,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

const everything = toSearchFilter({});
const histograms = Object.fromEntries(rankedFields.map((field) => [field, defaultScale[field]]));
const onePage = { sort: 'likes', order: 'desc', offset: 0, limit: 1 } as const;
/** While an import runs, one answer may be of another catalogue than the next. */
const maxAttempts = 3;

/** Strategies whose figure is at least as good. */
const asGoodAs = (field: FacetField, value: number): SearchFilter => {
  const range =
    facets[field].better === 'less' ? { low: -Infinity, high: value } : { low: value, high: Infinity };
  return { ...everything, ranges: { ...everything.ranges, [field]: range } };
};

const notFound = (urlId: string): DomainError =>
  new DomainError('not-found', 'STRATEGY_NOT_FOUND', `There is no strategy "${urlId}".`);

type Found = Readonly<{
  places: readonly FigurePlace[];
  found: SearchAnswer;
  /** Whether no answer is of another state of the catalogue than the others. */
  isOfOneCatalogue: boolean;
}>;

@QueryHandler(FindPlaces)
export class FindPlacesHandler implements IQueryHandler<FindPlaces> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  /** @throws DomainError INVALID_STRATEGY_ID, STRATEGY_NOT_FOUND */
  async execute({ urlId, options }: FindPlaces): Promise<StrategyPlaces> {
    const id = strategyId(urlId);
    for (let attempt = 1; ; attempt++) {
      const { places, found, isOfOneCatalogue } = await this.#find(id, options);
      if (isOfOneCatalogue || attempt === maxAttempts) {
        const { position, demo } = found;
        return { places: [...places], meta: { position: position.toString(), demo } };
      }
    }
  }

  /** One request after the other: the engine serves clients with one request before those with several. */
  async #find(urlId: string, { client, signal }: RequestOptions): Promise<Found> {
    const options = { ...(client !== undefined && { client }), ...(signal && { signal }) };
    const found = await this.#engine.search(
      { filter: { ...everything, among: [urlId] }, page: onePage },
      options,
    );
    const figures = found.hits[0]?.figures;
    if (!figures) throw notFound(urlId);
    const catalogue = await this.#engine.search({ filter: everything, histograms }, options);
    let isOfOneCatalogue = catalogue.position === found.position;
    const places: FigurePlace[] = [];
    for (const { field, scale, edges, all } of catalogue.histograms) {
      const value = figures[field];
      if (value === null) continue;
      const answer = await this.#engine.search({ filter: asGoodAs(field, value) }, options);
      const known = all.reduce((sum, count) => sum + count, 0);
      const worse = Math.max(0, known - answer.total);
      isOfOneCatalogue &&= answer.position === found.position;
      places.push({ field, scale, edges, all, bin: binOf(edges, value), known, worse });
    }
    return { places, found, isOfOneCatalogue };
  }
}
