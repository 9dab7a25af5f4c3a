import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { facetRecord, type FilterRanges } from '@tapedeck/search-engine/contract';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchAnswer,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import type { RangesAnswer, RangesQuery } from '../contract.ts';

export class FindRanges extends Query<RangesAnswer> {
  constructor(
    readonly parameters: RangesQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

/** Ranges under every filter but the ranges: a slider's ends must not shrink to its own filter. */
export const rangesOf = ({ ranges }: SearchAnswer): FilterRanges =>
  facetRecord((field) => ({ min: ranges?.[field].min ?? null, max: ranges?.[field].max ?? null }));

@QueryHandler(FindRanges)
export class FindRangesHandler implements IQueryHandler<FindRanges> {
  readonly #engine: SearchEngine;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine) {
    this.#engine = engine;
  }

  async execute({ parameters, options }: FindRanges): Promise<RangesAnswer> {
    const answer = await this.#engine.search({ filter: toSearchFilter(parameters), ranges: true }, options);
    return { ...rangesOf(answer), meta: { position: answer.position.toString(), demo: answer.demo } };
  }
}
