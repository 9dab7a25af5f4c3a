import type { Effect, EventStore, Reaction } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { PaymentsConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import { forgottenAccountsEffect } from './effects/forgotten-accounts.ts';
import { introPricesReaction } from './effects/intro-prices.ts';
import { stripeEventsEffect } from './effects/stripe-events.ts';
import { stripeWritesEffect } from './effects/stripe-writes.ts';
import type { StripePort } from './stripe-port.ts';
import { openStripe } from './stripe/stripe.ts';

/** What the effects of payments reach outside of the product. */
export type PaymentPorts = Readonly<{
  stripe: StripePort;
  unclaimedRefundDays: number;
  store: EventStore;
  databases: Databases;
}>;

export const paymentPorts = (
  config: PaymentsConfig,
  clock: Clock,
): Pick<PaymentPorts, 'stripe' | 'unclaimedRefundDays'> => ({
  stripe: openStripe(config, clock),
  unclaimedRefundDays: config.UNCLAIMED_REFUND_DAYS,
});

export { paymentJobs } from './reconciliation.ts';

export const paymentReactions: readonly Reaction[] = [introPricesReaction];

export const paymentEffects = (ports: PaymentPorts): readonly Effect[] => [
  stripeEventsEffect(ports),
  stripeWritesEffect(ports),
  forgottenAccountsEffect(ports),
];
