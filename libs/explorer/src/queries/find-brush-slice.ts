import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DEMO_CATALOGUE } from '@tapedeck/platform/tokens';
import { defaultScale, packSlice, type BrushSlice, type BrushSliceQuery } from '../contract.ts';
import type { Asking, SearchEngine } from '../search-port.ts';
import { toSearchFilter } from '../search-query.ts';
import { SEARCH_ENGINE } from '../tokens.ts';

export class FindBrushSlice extends Query<BrushSlice> {
  readonly parameters: BrushSliceQuery;
  readonly asking: Asking;

  constructor(parameters: BrushSliceQuery, asking: Asking) {
    super();
    this.parameters = parameters;
    this.asking = asking;
  }
}

@QueryHandler(FindBrushSlice)
export class FindBrushSliceHandler implements IQueryHandler<FindBrushSlice> {
  readonly #engine: SearchEngine;
  readonly #isDemo: () => boolean;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine, @Inject(DEMO_CATALOGUE) isDemo: () => boolean) {
    this.#engine = engine;
    this.#isDemo = isDemo;
  }

  async execute({ parameters, asking }: FindBrushSlice): Promise<BrushSlice> {
    const field = parameters.active;
    const scales = { ...defaultScale, ...parameters.scales };
    const query = { filter: toSearchFilter(parameters), active: field, scales };
    const { stops, hits, facets, position } = await this.#engine.brush(query, asking);
    return {
      field,
      scale: scales[field],
      stops: [...stops],
      ...packSlice({ hits, facets }),
      meta: { position: position.toString(), demo: this.#isDemo() },
    };
  }
}
