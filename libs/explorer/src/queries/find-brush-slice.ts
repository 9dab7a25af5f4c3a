import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { DEMO_CATALOGUE } from '@tapedeck/search-engine/engine';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import { packSlice, type BrushSlice, type BrushSliceQuery } from '../contract.ts';

export class FindBrushSlice extends Query<BrushSlice> {
  constructor(
    readonly parameters: BrushSliceQuery,
    readonly options: RequestOptions,
  ) {
    super();
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

  async execute({ parameters, options }: FindBrushSlice): Promise<BrushSlice> {
    const field = parameters.active;
    const scales = { ...defaultScale, ...parameters.scales };
    const query = { filter: toSearchFilter(parameters), active: field, scales };
    const { snapPoints, hits, facets, position } = await this.#engine.brush(query, options);
    return {
      field,
      scale: scales[field],
      snapPoints: [...snapPoints],
      ...packSlice({ hits, facets }),
      meta: { position: position.toString(), demo: this.#isDemo() },
    };
  }
}
