import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys } from '@tapedeck/eventing/postgres';
import { PaymentsModule } from '@tapedeck/payments/api';
import type { ApiConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import { CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import { ApplyReplayHandler } from './commands/apply-replay.ts';
import { TryReplayHandler } from './commands/try-replay.ts';
import { ListReplaysHandler, ShowReplayHandler } from './queries/replays.ts';
import { ReplaysController } from './replays.controller.ts';
import { createReplayDesk, REPLAY_DESK, type ReplayDesk } from './run/replay-desk.ts';
import { REPLAY_PARTS, type ReplayParts } from './run/replay-parts.ts';

export { REPLAY_PARTS, type ReplayParts } from './run/replay-parts.ts';

/** Needs the `ReplayParts` of whoever composes the modules. */
@Module({
  imports: [CqrsModule, PaymentsModule],
  controllers: [ReplaysController],
  providers: [
    {
      provide: REPLAY_DESK,
      inject: [EVENT_STORE, DATABASES, STRIPE, REPLAY_PARTS, CONFIG],
      useFactory: (
        store: EventStore,
        databases: Databases,
        stripe: StripeReads,
        parts: ReplayParts,
        { PERSONAL_DATA_KEY: masterKey, UNCLAIMED_REFUND_DAYS: unclaimedRefundDays }: ApiConfig,
      ): ReplayDesk => {
        const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey });
        return createReplayDesk({ store, databases, keys, stripe, parts, unclaimedRefundDays });
      },
    },
    TryReplayHandler,
    ApplyReplayHandler,
    ListReplaysHandler,
    ShowReplayHandler,
  ],
})
export class ReplayModule {}
