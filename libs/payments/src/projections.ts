import type { Projection } from '@tapedeck/eventing';
import { checkouts } from './projections/checkouts.ts';
import { ledger } from './projections/ledger.ts';
import { moneyProposals } from './projections/money-proposals.ts';
import { paymentDue } from './projections/payment-due.ts';
import { paymentQueues } from './projections/payment-queues.ts';
import { priceNotices } from './projections/price-notices.ts';
import { subscriptions } from './projections/subscriptions.ts';

export { checkouts, subscriptions };

export const paymentProjections: readonly Projection[] = [
  checkouts,
  subscriptions,
  ledger,
  paymentDue,
  paymentQueues,
  moneyProposals,
  priceNotices,
];
