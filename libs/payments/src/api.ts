import { Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readStates, type EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import { ChangeTopics, ClientConfigParts } from '@tapedeck/platform/http';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { BillingController } from './controllers/billing.controller.ts';
import { CheckoutController } from './controllers/checkout.controller.ts';
import { QueuesController } from './controllers/queues.controller.ts';
import { ClaimsController } from './controllers/claims.controller.ts';
import { EnterClaimCodeHandler } from './commands/enter-claim-code.ts';
import { LinkPaymentHandler } from './commands/link-payment.ts';
import { OpenBillingPortalHandler } from './commands/open-billing-portal.ts';
import { OpenPaymentPageHandler } from './commands/open-payment-page.ts';
import { RequestBillingChangeHandler } from './commands/request-billing-change.ts';
import { RequestClaimCodeHandler } from './commands/request-claim-code.ts';
import { StartCheckoutHandler } from './commands/start-checkout.ts';
import { AnnouncePriceHandler } from './prices/announce-price.ts';
import { ListPricesHandler } from './prices/list-prices.ts';
import { PreviewPriceHandler } from './prices/preview-price.ts';
import { createPriceConfirmations, PRICE_CONFIRMATIONS } from './prices/price-confirmations.ts';
import { PricesController } from './prices/prices.controller.ts';
import { ACCESS_AFTER, type AccessAfter } from './support/access-after.ts';
import { CONFIRMATIONS, createConfirmations } from './support/confirmations.ts';
import { ConfirmActionHandler } from './support/confirm-action.ts';
import { ListProposalsHandler } from './support/list-proposals.ts';
import { MoneyController } from './support/money.controller.ts';
import { PLANNED_ACTIONS, plannedActions } from './support/planned-actions.ts';
import { PreviewActionHandler } from './support/preview-action.ts';
import { ProposalsController } from './support/proposals.controller.ts';
import { ShowMoneyHandler } from './support/show-money.ts';
import { KEYED_HASHES, keyedHashes } from './http/buyer-proofs.ts';
import { createPreviews, PREVIEWS } from './http/previews.ts';
import { PreviewChangeHandler } from './queries/preview-change.ts';
import { ShowBillingHandler } from './queries/show-billing.ts';
import { ShowInvoiceHandler } from './queries/show-invoice.ts';
import { ShowQueuesHandler } from './queries/queues/show-queues.ts';
import { FulfilCheckoutHandler } from './commands/fulfil-checkout.ts';
import { createSharedReads, SHARED_READS } from './queries/shared-reads.ts';
import { VerifyPaymentHandler } from './queries/verify-payment.ts';
import { billingTopic, type PaymentsClientConfig } from './contract.ts';
import { subscriptionEvents, subscriptionStream } from './domain/subscription-events.ts';
import { subscriptionsOf } from './projections/subscriptions.ts';
import { INTRO_AVAILABILITY, introAvailability } from './prices/intro-availability.ts';
import { knownPrices, planPrices } from './prices/plan-prices.ts';
import { openStripe, STRIPE } from '@tapedeck/stripe/sdk';
import type { StripeReads } from '@tapedeck/stripe/port';
import type { PaymentsApiConfig } from './settings.ts';

export { checkPrices } from './prices/check-prices.ts';

@Module({
  imports: [CqrsModule],
  controllers: [
    CheckoutController,
    ClaimsController,
    BillingController,
    QueuesController,
    MoneyController,
    ProposalsController,
    PricesController,
  ],
  providers: [
    {
      provide: STRIPE,
      inject: [CONFIG, CLOCK],
      useFactory: (config: PaymentsApiConfig, clock: Clock) => openStripe(config, clock, knownPrices(config)),
    },
    {
      provide: KEYED_HASHES,
      inject: [CONFIG],
      useFactory: (config: PaymentsApiConfig) => keyedHashes(config.PERSONAL_DATA_KEY),
    },
    {
      provide: PREVIEWS,
      inject: [CONFIG],
      useFactory: (config: PaymentsApiConfig) => createPreviews(config.SESSION_SECRET),
    },
    {
      provide: INTRO_AVAILABILITY,
      inject: [CONFIG, CLOCK],
      useFactory: ({ STRIPE_INTRO_COUPON }: PaymentsApiConfig, clock: Clock) =>
        introAvailability(STRIPE_INTRO_COUPON !== undefined, clock),
    },
    { provide: SHARED_READS, useFactory: () => createSharedReads() },
    {
      provide: CONFIRMATIONS,
      inject: [CONFIG],
      useFactory: (config: PaymentsApiConfig) => createConfirmations(config.SESSION_SECRET),
    },
    {
      provide: PRICE_CONFIRMATIONS,
      inject: [CONFIG],
      useFactory: (config: PaymentsApiConfig) => createPriceConfirmations(config.SESSION_SECRET),
    },
    {
      provide: PLANNED_ACTIONS,
      inject: [DATABASES, EVENT_STORE, STRIPE, ACCESS_AFTER, CONFIG],
      useFactory: (
        { tapedeck: pool }: Databases,
        store: EventStore,
        stripe: StripeReads,
        accessAfter: AccessAfter,
        { APPROVAL_ABOVE_AMOUNT: limit }: PaymentsApiConfig,
      ) => plannedActions({ pool, store, read: readStates(store), stripe, accessAfter, limit }),
    },
    ListPricesHandler,
    PreviewPriceHandler,
    AnnouncePriceHandler,
    ShowMoneyHandler,
    ListProposalsHandler,
    PreviewActionHandler,
    ConfirmActionHandler,
    StartCheckoutHandler,
    FulfilCheckoutHandler,
    VerifyPaymentHandler,
    LinkPaymentHandler,
    RequestClaimCodeHandler,
    EnterClaimCodeHandler,
    RequestBillingChangeHandler,
    PreviewChangeHandler,
    ShowBillingHandler,
    ShowInvoiceHandler,
    ShowQueuesHandler,
    OpenBillingPortalHandler,
    OpenPaymentPageHandler,
  ],
  exports: [STRIPE],
})
export class PaymentsModule {
  constructor(
    clientConfig: ClientConfigParts,
    topics: ChangeTopics,
    @Inject(CONFIG) config: PaymentsApiConfig,
    @Inject(DATABASES) { tapedeck }: Databases,
  ) {
    topics.registerOfAccount({
      name: billingTopic,
      types: Object.keys(subscriptionEvents),
      streamsOf: async (account) => (await subscriptionsOf(tapedeck, account)).map(subscriptionStream),
    });
    const plans = planPrices(config).map(({ priceId: _id, variable: _variable, ...plan }) => plan);
    const hasTaxes = config.STRIPE_TAX === 'yes';
    clientConfig.register((): PaymentsClientConfig => ({ plans, hasTaxes }));
  }
}
