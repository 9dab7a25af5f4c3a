import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { FilterRanges, RangesAnswer, RangesQuery } from '../contract.ts';
import { facetRecord } from '../facets.ts';
import type { Asking, SearchAnswer, SearchEngine } from '../search-port.ts';
import { toSearchFilter } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';

export class FindRanges extends Query<RangesAnswer> {
  readonly parameters: RangesQuery;
  readonly asking: Asking;

  constructor(parameters: RangesQuery, asking: Asking) {
    super();
    this.parameters = parameters;
    this.asking = asking;
  }
}

/** Ranges under every filter but the eight ranges: a slider's ends must not shrink to its own filter. */
export const rangesOf = ({ ranges }: SearchAnswer): FilterRanges =>
  facetRecord((field) => ({ min: ranges?.[field].min ?? null, max: ranges?.[field].max ?? null }));

@QueryHandler(FindRanges)
export class FindRangesHandler implements IQueryHandler<FindRanges> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, asking }: FindRanges): Promise<RangesAnswer> {
    const answer = await this.#engine.search({ filter: toSearchFilter(parameters), ranges: true }, asking);
    return { ...rangesOf(answer), meta: { position: answer.position.toString(), demo: answer.demo } };
  }
}
