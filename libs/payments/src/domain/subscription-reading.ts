import type {
  DisputeClosed,
  DisputeOpened,
  PaymentFailed,
  PaymentRecorded,
  RefundRecorded,
  SubscriptionObserved,
} from './subscription-events.ts';

type Without<Event extends { data: object }, Key extends keyof Event['data'] = never> = Omit<
  Event['data'],
  'subscriptionId' | Key
>;

/** Everything that Stripe knows of one subscription, read in one go. Times are ISO 8601 UTC, amounts minor units. */
export type SubscriptionReading = Readonly<{
  subscriptionId: string;
  subscription: Without<SubscriptionObserved, 'personalSubject' | 'replaces'>;
  /** Paid invoices, each with what it paid for. */
  payments: readonly Without<PaymentRecorded>[];
  /** Unpaid attempts of open invoices. */
  failures: readonly Without<PaymentFailed>[];
  refunds: readonly Without<RefundRecorded>[];
  /** All disputes, closed ones included. */
  disputes: readonly Without<DisputeOpened>[];
  closedDisputes: readonly Without<DisputeClosed>[];
}>;
