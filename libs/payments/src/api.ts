import { Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { ClientConfigParts } from '@tapedeck/platform/http';
import { createPersonalDataKeys } from '@tapedeck/eventing/postgres';
import type { Databases } from '@tapedeck/platform/databases';
import { ApplyReplayHandler } from './commands/apply-replay.ts';
import { TryReplayHandler } from './commands/try-replay.ts';
import { ListReplaysHandler, ShowReplayHandler } from './queries/replays.ts';
import { createReplayDesk, REPLAY_DESK, type ReplayDesk } from './replay/replay-desk.ts';
import { REPLAY_PARTS, type ReplayParts } from './replay/replay-parts.ts';
import { ReplaysController } from './controllers/replays.controller.ts';
import type { StripeReads } from './stripe-port.ts';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { EventStore } from '@tapedeck/eventing';
import { BillingController } from './controllers/billing.controller.ts';
import { CheckoutController } from './controllers/checkout.controller.ts';
import { QueuesController } from './controllers/queues.controller.ts';
import { ClaimsController } from './controllers/claims.controller.ts';
import { EnterClaimCodeHandler } from './commands/enter-claim-code.ts';
import { LinkPaymentHandler } from './commands/link-payment.ts';
import { OpenBillingPortalHandler } from './commands/open-billing-portal.ts';
import { RequestBillingChangeHandler } from './commands/request-billing-change.ts';
import { RequestClaimCodeHandler } from './commands/request-claim-code.ts';
import { StartCheckoutHandler } from './commands/start-checkout.ts';
import { KEYED_HASHES, keyedHashes } from './http/keyed-hashes.ts';
import { createPreviews, PREVIEWS } from './http/previews.ts';
import { PreviewChangeHandler } from './queries/preview-change.ts';
import { ShowBillingHandler } from './queries/show-billing.ts';
import { ShowQueuesHandler } from './queries/queues.ts';
import { VerifyPaymentHandler } from './queries/verify-payment.ts';
import { READ_STREAM, readStreamNow } from './effects/send-dispatches.ts';
import { ReceiveStripeEventHandler } from './commands/receive-stripe-event.ts';
import type { PaymentsClientConfig } from './contract.ts';
import { planPrices } from './stripe/plan-prices.ts';
import { openStripe, STRIPE } from './stripe/stripe.ts';
import { WebhookController } from './controllers/webhook.controller.ts';

export { REPLAY_PARTS, type ReplayParts } from './replay/replay-parts.ts';
export { checkPrices } from './stripe/check-prices.ts';

@Module({
  imports: [CqrsModule],
  controllers: [WebhookController, CheckoutController, ClaimsController, BillingController, QueuesController],
  providers: [
    {
      provide: STRIPE,
      inject: [CONFIG, CLOCK],
      useFactory: (config: ApiConfig, clock: Clock) => openStripe(config, clock),
    },
    { provide: READ_STREAM, inject: [EVENT_STORE], useFactory: (store: EventStore) => readStreamNow(store) },
    {
      provide: KEYED_HASHES,
      inject: [CONFIG],
      useFactory: (config: ApiConfig) => keyedHashes(config.PERSONAL_DATA_KEY),
    },
    {
      provide: PREVIEWS,
      inject: [CONFIG],
      useFactory: (config: ApiConfig) => createPreviews(config.SESSION_SECRET),
    },
    ReceiveStripeEventHandler,
    StartCheckoutHandler,
    VerifyPaymentHandler,
    LinkPaymentHandler,
    RequestClaimCodeHandler,
    EnterClaimCodeHandler,
    RequestBillingChangeHandler,
    PreviewChangeHandler,
    ShowBillingHandler,
    ShowQueuesHandler,
    OpenBillingPortalHandler,
  ],
  exports: [STRIPE],
})
export class PaymentsModule {
  constructor(clientConfig: ClientConfigParts, @Inject(CONFIG) config: ApiConfig) {
    const plans = planPrices(config).map(({ priceId: _id, variable: _variable, ...plan }) => plan);
    clientConfig.register((): PaymentsClientConfig => ({ plans }));
  }
}

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
