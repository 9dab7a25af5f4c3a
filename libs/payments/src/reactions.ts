import type { Effect, EventStore, Reaction } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { ProjectorConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import { createMailer, type Mailer } from '@tapedeck/platform/mail';
import type { Job } from '@tapedeck/platform/schedule';
import { afterReplay } from './effects/after-replay.ts';
import { closedAccountsEffect } from './effects/closed-accounts.ts';
import { confirmObservationsEffect } from './effects/confirm-observations.ts';
import { introPricesReaction } from './effects/intro-prices.ts';
import { paymentMailsEffect } from './effects/mails.ts';
import { reconciliationJobs, type ReconciliationPorts } from './effects/reconciliation.ts';
import { stripeEventsEffect } from './effects/stripe-events.ts';
import { stripeWritesEffect } from './effects/stripe-writes.ts';
import { interruptedReplays, type InterruptedReplaysPorts } from './replay/interrupted-replays.ts';
import type { StripePort } from './stripe-port.ts';
import { openStripe } from './stripe/stripe.ts';

export { paymentDueDates } from './effects/due-dates.ts';

export type PaymentJobsPorts = ReconciliationPorts & InterruptedReplaysPorts;

/** What the effects of payments reach outside of their own streams. */
export type PaymentPorts = Readonly<{
  stripe: StripePort;
  mailer: Mailer;
  siteUrl: string;
  unclaimedRefundDays: number;
  store: EventStore;
  databases: Databases;
}>;

/** The connections to Stripe and to the mail server. */
export const paymentPorts = (
  config: ProjectorConfig,
  clock: Clock,
): Omit<PaymentPorts, 'store' | 'databases'> => ({
  stripe: openStripe(config, clock),
  mailer: createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
  siteUrl: new URL(config.PUBLIC_ORIGIN).origin,
  unclaimedRefundDays: config.UNCLAIMED_REFUND_DAYS,
});

/** What is repeated at intervals. */
export const paymentJobs = (ports: PaymentJobsPorts): readonly Job[] => [
  ...reconciliationJobs(ports),
  interruptedReplays(ports),
];

export const paymentReactions: readonly Reaction[] = [introPricesReaction];

export const paymentEffects = (ports: PaymentPorts): readonly Effect[] => [
  afterReplay(stripeEventsEffect(ports)),
  confirmObservationsEffect(ports),
  stripeWritesEffect(ports),
  paymentMailsEffect(ports),
  closedAccountsEffect(ports),
];
