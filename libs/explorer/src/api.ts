import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { ApiConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { CONFIG, DATABASES, DEMO_CATALOGUE, EVENT_STORE, LOGGER } from '@tapedeck/platform/tokens';
import { ChangeSavedSearchesHandler } from './commands/change-saved-searches.ts';
import { ComparisonController } from './comparison.controller.ts';
import { ExplorerController } from './explorer.controller.ts';
import { ExportRights } from './export-rights.ts';
import { ExportController } from './export.controller.ts';
import type { ExplorerBackend } from './feed/backend.ts';
import { configuredBackend } from './feed/configured-backend.ts';
import { CatalogueChanges } from './feed/catalogue-changes.ts';
import { CatalogueFeed } from './feed/catalogue-feed.ts';
import { CatalogueRegistration } from './feed/catalogue-registration.ts';
import { NewMatches } from './new-matches.ts';
import { CompareStrategiesHandler } from './queries/compare-strategies.ts';
import { CountIndicatorsHandler } from './queries/count-indicators.ts';
import { ExploreHandler } from './queries/explore.ts';
import { ExportStrategiesHandler } from './queries/export-strategies.ts';
import { FindBrushSliceHandler } from './queries/find-brush-slice.ts';
import { FindHistogramHandler } from './queries/find-histogram.ts';
import { FindRangesHandler } from './queries/find-ranges.ts';
import { FindSimilarHandler } from './queries/find-similar.ts';
import { ListSavedSearchesHandler } from './queries/list-saved-searches.ts';
import { ListStrategiesHandler } from './queries/list-strategies.ts';
import { SavedSearchesController } from './saved-searches.controller.ts';
import type { SearchEngine } from './search-port.ts';
import { EXPLORER_BACKEND, SEARCH_ENGINE } from './tokens.ts';

/** Global, so that the platform can say whether the catalogue is the demo's. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [ExplorerController, ComparisonController, ExportController, SavedSearchesController],
  providers: [
    {
      provide: EXPLORER_BACKEND,
      useFactory: (
        config: ApiConfig,
        store: EventStore,
        { catalogue }: Databases,
        logger: Logger,
      ): ExplorerBackend => configuredBackend(config, { store, catalogue, logger }),
      inject: [CONFIG, EVENT_STORE, DATABASES, LOGGER],
    },
    {
      provide: SEARCH_ENGINE,
      useFactory: ({ engine }: ExplorerBackend): SearchEngine => engine,
      inject: [EXPLORER_BACKEND],
    },
    {
      provide: DEMO_CATALOGUE,
      useFactory: (backend: ExplorerBackend) => (): boolean => backend.hasDemo(),
      inject: [EXPLORER_BACKEND],
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
    CompareStrategiesHandler,
    ExportRights,
    ExportStrategiesHandler,
    NewMatches,
    ChangeSavedSearchesHandler,
    ListSavedSearchesHandler,
  ],
  exports: [DEMO_CATALOGUE],
})
export class ExplorerModule {}
