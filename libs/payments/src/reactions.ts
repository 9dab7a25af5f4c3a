import type { Effect, Reaction } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { PaymentsConfig } from '@tapedeck/platform/config';
import { introPricesReaction } from './effects/intro-prices.ts';
import { stripeEventsEffect } from './effects/stripe-events.ts';
import { stripeWritesEffect } from './effects/stripe-writes.ts';
import type { StripePort } from './stripe-port.ts';
import { openStripe } from './stripe/stripe.ts';

/** What the effects of payments reach outside of the product. */
export type PaymentPorts = Readonly<{ stripe: StripePort; unclaimedRefundDays: number }>;

export const paymentPorts = (config: PaymentsConfig, clock: Clock): PaymentPorts => ({
  stripe: openStripe(config, clock),
  unclaimedRefundDays: config.UNCLAIMED_REFUND_DAYS,
});

export const paymentReactions: readonly Reaction[] = [introPricesReaction];

export const paymentEffects = (ports: PaymentPorts): readonly Effect[] => [
  stripeEventsEffect(ports),
  stripeWritesEffect(ports),
];
