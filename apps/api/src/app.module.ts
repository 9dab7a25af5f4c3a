import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditModule } from '@tapedeck/audit/api';
import { textOfEvent } from '@tapedeck/audit/projections';
import { ChartCaptureModule } from '@tapedeck/chart-capture/api';
import { CompositionModule } from '@tapedeck/composition/api';
import {
  eventCategories,
  eventTypes,
  projections,
  reactions,
  type DatabaseName,
} from '@tapedeck/composition/modules';
import { searchBackend } from '@tapedeck/composition/search';
import type { EventStore } from '@tapedeck/eventing';
import { ExplorerModule } from '@tapedeck/explorer/api';
import { FavouritesModule } from '@tapedeck/favourites/api';
import { FiguresModule } from '@tapedeck/figures/api';
import { IdentityModule } from '@tapedeck/identity/api';
import type { Clock } from '@tapedeck/kernel';
import { MembershipModule } from '@tapedeck/membership/api';
import type { ApiConfig } from '@tapedeck/composition/config';
import type { Databases } from '@tapedeck/platform/databases';
import { OperationsModule } from '@tapedeck/operations/api';
import { PaymentsModule } from '@tapedeck/payments/api';
import { HttpModule } from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, EVENT_TYPES, LOGGER } from '@tapedeck/platform/tokens';
import { ReplayModule } from '@tapedeck/replay/api';
import { SavedSearchesModule } from '@tapedeck/saved-searches/api';
import { SearchEngineModule } from '@tapedeck/search-engine/api';
import { SqlConsoleModule } from '@tapedeck/sql-console/api';
import { StrategiesModule } from '@tapedeck/strategies/api';
import { StripeModule } from '@tapedeck/stripe/api';

/** The values that modules inject. */
export type ApiDependencies = Readonly<{
  config: ApiConfig;
  databases: Databases<DatabaseName>;
  store: EventStore;
  clock: Clock;
  logger: Logger;
}>;

const modules = [
  CqrsModule.forRoot(),
  HttpModule.global(),
  IdentityModule,
  MembershipModule,
  StrategiesModule,
  ChartCaptureModule,
  SearchEngineModule.with(searchBackend),
  ExplorerModule,
  SavedSearchesModule,
  FavouritesModule,
  StripeModule,
  PaymentsModule,
  FiguresModule,
  ReplayModule.with({ reactions, projections, textOf: textOfEvent }),
  AuditModule,
  OperationsModule.with({ categories: eventCategories }),
  SqlConsoleModule,
  CompositionModule,
];

@Module({ imports: modules })
export class AppModule {
  static with({ config, databases, store, clock, logger }: ApiDependencies): DynamicModule {
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: DATABASES, useValue: databases },
      { provide: EVENT_STORE, useValue: store },
      { provide: EVENT_TYPES, useValue: eventTypes },
      { provide: CLOCK, useValue: clock },
      { provide: LOGGER, useValue: logger },
    ];
    return { module: AppModule, global: true, providers, exports: providers };
  }
}
