import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { CLOCK, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { IgnoreEventHandler } from './commands/ignore-event.ts';
import { RequestChangeHandler } from './commands/request-change.ts';
import { RetryEventsHandler } from './commands/retry-events.ts';
import { ParkedEventsController } from './parked-events.controller.ts';
import { ProjectionsController } from './projections.controller.ts';
import { OPERATIONS_READS, type OperationsReads } from './queries/operations-reads.ts';
import { ShowIgnoredHandler } from './queries/show-ignored.ts';
import { ShowJobsHandler } from './queries/show-jobs.ts';
import { ShowParkedHandler } from './queries/show-parked.ts';
import { ShowProjectionsHandler } from './queries/show-projections.ts';
import { ShowTapeHandler } from './queries/show-tape.ts';

const handlers: readonly Provider[] = [
  ShowProjectionsHandler,
  ShowTapeHandler,
  ShowJobsHandler,
  ShowParkedHandler,
  ShowIgnoredHandler,
  RequestChangeHandler,
  RetryEventsHandler,
  IgnoreEventHandler,
];

@Module({})
export class OperationsModule {
  /** `categories`: the module that each event type belongs to. */
  static with({ categories }: Pick<OperationsReads, 'categories'>): DynamicModule {
    const reads: Provider = {
      provide: OPERATIONS_READS,
      inject: [DATABASES, EVENT_STORE, CLOCK, AccountNames],
      useFactory: (
        databases: Databases & Pick<OperationsReads['databases'], 'tapedeck'>,
        store: EventStore,
        clock: Clock,
        accounts: AccountNames,
      ): OperationsReads => ({ databases, store, clock, accounts, categories }),
    };
    return {
      module: OperationsModule,
      imports: [CqrsModule],
      controllers: [ProjectionsController, ParkedEventsController],
      providers: [reads, ...handlers],
    };
  }
}
