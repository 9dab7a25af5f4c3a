import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { FilterQuery } from '@tapedeck/search-engine/contract';
import { DEMO_CATALOGUE } from '@tapedeck/search-engine/engine';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import type { IndicatorTotals } from '../contract.ts';

/** What each indicator's chip would find, all filters but the search staying. */
export class CountIndicators extends Query<IndicatorTotals> {
  constructor(
    readonly parameters: FilterQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

@QueryHandler(CountIndicators)
export class CountIndicatorsHandler implements IQueryHandler<CountIndicators> {
  readonly #engine: SearchEngine;
  readonly #isDemo: () => boolean;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine, @Inject(DEMO_CATALOGUE) isDemo: () => boolean) {
    this.#engine = engine;
    this.#isDemo = isDemo;
  }

  async execute({ parameters, options }: CountIndicators): Promise<IndicatorTotals> {
    const { counts, position } = await this.#engine.countIndicators(toSearchFilter(parameters), options);
    return {
      counts: Object.fromEntries(counts),
      meta: { position: position.toString(), demo: this.#isDemo() },
    };
  }
}
