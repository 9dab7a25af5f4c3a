import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import { defaultScale, facets, type FacetField, type Histogram } from '@tapedeck/search-engine/contract';
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

type Found = Readonly<{ places: readonly FigurePlace[]; answers: readonly SearchAnswer[] }>;

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
      const { places, answers } = await this.#find(id, options);
      const [{ position, demo } = { position: 0n, demo: false }] = answers;
      const isOfOneCatalogue = answers.every((answer) => answer.position === position);
      if (isOfOneCatalogue || attempt === maxAttempts) {
        return { places: [...places], meta: { position: position.toString(), demo } };
      }
    }
  }

  async #find(urlId: string, options: RequestOptions): Promise<Found> {
    const engine = this.#engine;
    const [found, catalogue] = await Promise.all([
      engine.search({ filter: { ...everything, among: [urlId] }, page: onePage }, options),
      engine.search({ filter: everything, histograms }, options),
    ]);
    const figures = found.hits[0]?.figures;
    if (!figures)
      throw new DomainError('not-found', 'STRATEGY_NOT_FOUND', `There is no strategy "${urlId}".`);
    const answers: SearchAnswer[] = [found, catalogue];
    const placeIn = async ({ field, scale, edges, all }: Histogram): Promise<FigurePlace | null> => {
      const value = figures[field];
      if (value === null) return null;
      const answer = await engine.search({ filter: asGoodAs(field, value) }, options);
      answers.push(answer);
      const known = all.reduce((sum, count) => sum + count, 0);
      const worse = Math.max(0, known - answer.total);
      return { field, scale, edges, all, bin: binOf(edges, value), known, worse };
    };
    const places = await Promise.all(catalogue.histograms.map(placeIn));
    return { places: places.filter((place) => place !== null), answers };
  }
}
