import { Global, Inject, Module, type DynamicModule } from '@nestjs/common';
import type { EventStore } from '@tapedeck/eventing';
import type { Databases } from '@tapedeck/platform/databases';
import { ClientConfigParts } from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { CONFIG, DATABASES, EVENT_STORE, LOGGER } from '@tapedeck/platform/tokens';
import { CatalogueFeed, CatalogueRegistration } from './catalogue-feed.ts';
import type { CatalogueClientConfig } from './contract.ts';
import { SearchAdmission } from './search-admission.ts';
import {
  DEMO_CATALOGUE,
  SEARCH_BACKEND,
  SEARCH_ENGINE,
  SEARCH_INDEX_FIGURES,
  type BackendDependencies,
  type SearchBackend,
  type SearchIndexFigures,
} from './search-backend.ts';
import type { SearchEngine } from './search-port.ts';

/** Creates the engine that the configuration selects. */
export type CreateBackend<Config> = (
  config: Config,
  dependencies: BackendDependencies,
) => SearchBackend | Promise<SearchBackend>;

/** Global, so that every module can inject the search engine. */
@Global()
@Module({
  providers: [
    {
      provide: SEARCH_ENGINE,
      useFactory: ({ engine }: SearchBackend): SearchEngine => engine,
      inject: [SEARCH_BACKEND],
    },
    {
      provide: DEMO_CATALOGUE,
      useFactory: (backend: SearchBackend) => (): boolean => backend.hasDemo(),
      inject: [SEARCH_BACKEND],
    },
    {
      provide: SEARCH_INDEX_FIGURES,
      useFactory:
        ({ indexFigures }: SearchBackend): SearchIndexFigures =>
        async () =>
          indexFigures?.(),
      inject: [SEARCH_BACKEND],
    },
    CatalogueFeed,
    CatalogueRegistration,
    SearchAdmission,
  ],
  exports: [SEARCH_ENGINE, SEARCH_INDEX_FIGURES, DEMO_CATALOGUE, CatalogueFeed],
})
export class SearchEngineModule {
  static with<Config>(createBackend: CreateBackend<Config>): DynamicModule {
    const backend = {
      provide: SEARCH_BACKEND,
      useFactory: (
        config: Config,
        store: EventStore,
        { catalogue }: Databases<'catalogue'>,
        logger: Logger,
      ) => createBackend(config, { store, catalogue, logger }),
      inject: [CONFIG, EVENT_STORE, DATABASES, LOGGER],
    };
    return { module: SearchEngineModule, providers: [backend] };
  }

  constructor(clientConfig: ClientConfigParts, @Inject(DEMO_CATALOGUE) hasDemo: () => boolean) {
    clientConfig.register((): CatalogueClientConfig => ({ demoCatalogue: hasDemo() }));
  }
}
