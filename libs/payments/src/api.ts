import { Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { ClientConfigParts } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { EventStore } from '@tapedeck/eventing';
import { BillingController } from './billing.controller.ts';
import { CheckoutController } from './checkout.controller.ts';
import { ClaimsController } from './claims.controller.ts';
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
import { VerifyPaymentHandler } from './queries/verify-payment.ts';
import { READ_STREAM, readStreamNow } from './effects/send-dispatches.ts';
import { ReceiveStripeEventHandler } from './commands/receive-stripe-event.ts';
import type { PaymentsClientConfig } from './contract.ts';
import { planPrices } from './stripe/plan-prices.ts';
import { openStripe, STRIPE } from './stripe/stripe.ts';
import { WebhookController } from './webhook.controller.ts';

export { checkPrices } from './stripe/check-prices.ts';

@Module({
  imports: [CqrsModule],
  controllers: [WebhookController, CheckoutController, ClaimsController, BillingController],
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
    OpenBillingPortalHandler,
  ],
})
export class PaymentsModule {
  constructor(clientConfig: ClientConfigParts, @Inject(CONFIG) config: ApiConfig) {
    const plans = planPrices(config).map(({ priceId: _id, variable: _variable, ...plan }) => plan);
    clientConfig.register((): PaymentsClientConfig => ({ plans }));
  }
}
