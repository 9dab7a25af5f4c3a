import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DEMO_CATALOGUE } from '@tapedeck/platform/tokens';
import type { FilterQuery, IndicatorTotals } from '../contract.ts';
import type { Asking, SearchEngine } from '../search-port.ts';
import { toSearchFilter } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';

/** What each indicator's chip would find, all filters but the search staying. */
export class CountIndicators extends Query<IndicatorTotals> {
  readonly parameters: FilterQuery;
  readonly asking: Asking;

  constructor(parameters: FilterQuery, asking: Asking) {
    super();
    this.parameters = parameters;
    this.asking = asking;
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

  async execute({ parameters, asking }: CountIndicators): Promise<IndicatorTotals> {
    const { counts, position } = await this.#engine.countIndicators(toSearchFilter(parameters), asking);
    return {
      counts: Object.fromEntries(counts),
      meta: { position: position.toString(), demo: this.#isDemo() },
    };
  }
}
