import type { EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { parkedRequests } from './parked-requests.ts';
import { refusedRequests } from './refused-requests.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';
import { directCommands } from '../recording/direct-commands.ts';
import type { StripeReads } from '@tapedeck/stripe/port';

export type ReconciliationPorts = Readonly<{
  stripe: StripeReads;
  unclaimedRefundDays: number;
  store: EventStore;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
type Sweep = (subscriptionId: string, scope: 'newest' | 'all') => Promise<void>;

/** Reads a subscription and records what is new: that is a mismatch, since a webhook should have brought it. */
const sweepOf = ({ stripe, unclaimedRefundDays, store, clock }: ReconciliationPorts): Sweep => {
  const commands = directCommands(store, clock);
  return async (subscriptionId, scope) => {
    const snapshot = await stripe.readSubscription(subscriptionId, scope);
    if (!snapshot) return;
    const now = isoNow(clock);
    const options = { unclaimedRefundDays, isSweep: true, now };
    await commands.send(await recordSnapshot(snapshot, commands.read, options));
  };
};

const overdueSql = `
  select subscription_id from subscription_customers
   where period_end < $1 and stripe_status not in ('canceled', 'incomplete_expired')
   order by subscription_id`;

/** Subscriptions whose period is over: the renewal, or its failure, should be known by now. */
const overdueSubscriptions = (ports: ReconciliationPorts): Job => {
  const sweep = sweepOf(ports);
  return {
    name: 'stripe-overdue-subscriptions',
    intervalMs: hourMs,
    run: async ({ now, signal }) => {
      const { rows } = await ports.databases.tapedeck.query<{ subscription_id: string }>(overdueSql, [now]);
      for (const { subscription_id: id } of rows) {
        if (signal.aborted) return;
        await sweep(id, 'newest');
      }
    },
  };
};

/** All of them: Stripe can fail to make an event at all. */
const everySubscription = (ports: ReconciliationPorts): Job => {
  const sweep = sweepOf(ports);
  return {
    name: 'stripe-every-subscription',
    intervalMs: dayMs,
    run: async ({ signal }) => {
      for await (const id of ports.stripe.listSubscriptions()) {
        if (signal.aborted) return;
        await sweep(id, 'all');
      }
    },
  };
};

/** Subscriptions that are due every hour, and all of them every day; and requests that are stuck or refused. */
export const reconciliationJobs = (ports: ReconciliationPorts): readonly Job[] => [
  overdueSubscriptions(ports),
  everySubscription(ports),
  parkedRequests(ports),
  refusedRequests(ports),
];
