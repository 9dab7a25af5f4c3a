import type { Projection } from '@tapedeck/eventing';
import { checkouts } from './projections/checkouts.ts';
import { ledger } from './projections/ledger.ts';
import { paymentDue } from './projections/payment-due.ts';
import { paymentQueues } from './projections/payment-queues.ts';
import { replays } from './projections/replays.ts';
import { stripeInbox } from './projections/stripe-inbox.ts';
import { subscriptions } from './projections/subscriptions.ts';

export const paymentProjections: readonly Projection[] = [
  checkouts,
  subscriptions,
  ledger,
  stripeInbox,
  paymentDue,
  replays,
  paymentQueues,
];
