import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore, EventTypes } from '@tapedeck/eventing';
import { createPersonalDataKeys } from '@tapedeck/eventing/postgres';
import { PaymentsModule } from '@tapedeck/payments/api';
import type { PaymentsApiConfig } from '@tapedeck/payments/settings';
import type { Databases } from '@tapedeck/platform/databases';
import { CONFIG, DATABASES, EVENT_STORE, EVENT_TYPES } from '@tapedeck/platform/tokens';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import { ApplyReplayHandler } from './commands/apply-replay.ts';
import { TryReplayHandler } from './commands/try-replay.ts';
import { ListReplaysHandler, ShowReplayHandler } from './queries/replays.ts';
import {
  createReplayService,
  REPLAY_SERVICE,
  type ReplayService,
  type SharedParts,
} from './run/run-replay.ts';
import { ReplaysController } from './replays.controller.ts';

type Composed = Readonly<{
  reactions: (settings: Readonly<{ GRACE_DAYS: number }>) => SharedParts['reactions'];
  projections: SharedParts['projections'];
  textOf: ReplayService['textOf'];
}>;

@Module({
  imports: [CqrsModule, PaymentsModule],
  controllers: [ReplaysController],
  providers: [TryReplayHandler, ApplyReplayHandler, ListReplaysHandler, ShowReplayHandler],
})
export class ReplayModule {
  /** With what all modules contribute, since a replay executes the product itself. */
  static with({ reactions, projections, textOf }: Composed): DynamicModule {
    const service = {
      provide: REPLAY_SERVICE,
      inject: [EVENT_STORE, DATABASES, STRIPE, EVENT_TYPES, CONFIG],
      useFactory: (
        store: EventStore,
        databases: Databases,
        stripe: StripeReads,
        types: EventTypes,
        config: PaymentsApiConfig & Readonly<{ GRACE_DAYS: number }>,
      ): ReplayService => {
        const keys = createPersonalDataKeys({
          pool: databases.tapedeck,
          masterKey: config.PERSONAL_DATA_KEY,
        });
        const unclaimedRefundDays = config.UNCLAIMED_REFUND_DAYS;
        const shared = { types, reactions: reactions(config), projections };
        return createReplayService(
          { store, databases, keys, stripe, unclaimedRefundDays, ...shared },
          textOf,
        );
      },
    };
    return { module: ReplayModule, providers: [service] };
  }
}
