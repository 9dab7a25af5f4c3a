import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DEMO_CATALOGUE } from '@tapedeck/platform/tokens';
import { createColumnarEngine, type ColumnarEngine } from './adapters/columnar/engine.ts';
import { ExplorerController } from './explorer.controller.ts';
import { CatalogueChanges } from './feed/catalogue-changes.ts';
import { CatalogueFeed } from './feed/catalogue-feed.ts';
import { CatalogueRegistration } from './feed/catalogue-registration.ts';
import { CountIndicatorsHandler } from './queries/count-indicators.ts';
import { ExploreHandler } from './queries/explore.ts';
import { FindBrushSliceHandler } from './queries/find-brush-slice.ts';
import { FindHistogramHandler } from './queries/find-histogram.ts';
import { FindRangesHandler } from './queries/find-ranges.ts';
import { FindSimilarHandler } from './queries/find-similar.ts';
import { ListStrategiesHandler } from './queries/list-strategies.ts';
import { SEARCH_ENGINE } from './tokens.ts';

/** Global, so that the platform can say whether the catalogue is the demo's. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [ExplorerController],
  providers: [
    { provide: SEARCH_ENGINE, useFactory: (): ColumnarEngine => createColumnarEngine() },
    {
      provide: DEMO_CATALOGUE,
      useFactory: (engine: ColumnarEngine) => (): boolean => engine.hasDemo(),
      inject: [SEARCH_ENGINE],
    },
    CatalogueFeed,
    CatalogueChanges,
    CatalogueRegistration,
    ExploreHandler,
    FindHistogramHandler,
    FindRangesHandler,
    ListStrategiesHandler,
    FindBrushSliceHandler,
    CountIndicatorsHandler,
    FindSimilarHandler,
  ],
  exports: [DEMO_CATALOGUE],
})
export class ExplorerModule {}
