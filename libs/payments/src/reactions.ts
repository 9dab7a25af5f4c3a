import type { DueDates, Effect, EventStore, Reaction } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { createMailer, type Mailer } from '@tapedeck/platform/mail';
import type { Job } from '@tapedeck/platform/schedule';
import { closedAccountsEffect } from './effects/closed-accounts.ts';
import { confirmSnapshotsEffect } from './effects/confirm-snapshots.ts';
import { paymentDueDates as purchaseDueDates } from './jobs/due-dates.ts';
import { proposalDueDates } from './support/due-dates.ts';
import { ignoredRequestsEffect } from './effects/ignored-requests.ts';
import { introPricesReaction } from './reactions/intro-prices.ts';
import { paymentMailsEffect } from './effects/mails.ts';
import { reconciliationJobs, type ReconciliationPorts } from './jobs/reconciliation.ts';
import { knownPrices, planPrices, type PlanPrice } from './prices/plan-prices.ts';
import { customerEmailsEffect } from './effects/customer-emails.ts';
import { accessSubscriptionsIn, secondPurchasesEffect } from './effects/second-purchases.ts';
import { stripeEventsEffect } from './effects/stripe-events.ts';
import { stripeRequestsEffect } from './effects/stripe-requests.ts';
import type { Logger } from '@tapedeck/platform/log';
import type { StripePort } from '@tapedeck/stripe/port';
import { openStripe } from '@tapedeck/stripe/sdk';
import { subscriptionsOfCustomer } from './projections/customers.ts';
import type { PaymentsProjectorConfig } from './settings.ts';

export const paymentDueDates: readonly DueDates[] = [...purchaseDueDates, proposalDueDates];
export { stripeEventsEffect } from './effects/stripe-events.ts';
export { subscriptionsOfCustomer } from './projections/customers.ts';
export { recordSnapshot } from './recording/record-snapshot.ts';

/** The ports of the effects. */
export type PaymentPorts = Readonly<{
  stripe: StripePort;
  mailer: Mailer;
  siteUrl: string;
  unclaimedRefundDays: number;
  /** At which the plans are sold. */
  prices: readonly PlanPrice[];
  store: EventStore;
  databases: Databases;
  logger: Logger;
}>;

/** The connections to Stripe and to the mail server. */
export const paymentPorts = (
  config: PaymentsProjectorConfig,
  clock: Clock,
): Omit<PaymentPorts, 'store' | 'databases' | 'logger'> => ({
  stripe: openStripe(config, clock, knownPrices(config)),
  mailer: createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
  siteUrl: new URL(config.publicOrigin).origin,
  unclaimedRefundDays: config.UNCLAIMED_REFUND_DAYS,
  prices: planPrices(config),
});

/** What is repeated at intervals. */
export const paymentJobs = (ports: ReconciliationPorts): readonly Job[] => reconciliationJobs(ports);

export const paymentReactions: readonly Reaction[] = [introPricesReaction];

export const paymentEffects = (ports: PaymentPorts): readonly Effect[] => [
  stripeEventsEffect({
    ...ports,
    subscriptionsOfCustomer: subscriptionsOfCustomer(ports.databases.tapedeck),
  }),
  confirmSnapshotsEffect(ports),
  stripeRequestsEffect(ports),
  ignoredRequestsEffect(ports),
  paymentMailsEffect(ports),
  closedAccountsEffect(ports),
  secondPurchasesEffect({ ...ports, accessSubscriptions: accessSubscriptionsIn(ports.databases.tapedeck) }),
  customerEmailsEffect(ports),
];
