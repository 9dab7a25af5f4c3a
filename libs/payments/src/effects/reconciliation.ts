import { handle, type EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { appendStripeEvent } from './append-stripe-event.ts';
import { stripeEventDecider } from '../domain/stripe-event.ts';
import { parkedWrites } from './parked-writes.ts';
import { recordReading } from './record-reading.ts';
import { stripeEventEvents } from '../events.ts';
import { directCommands } from './send-dispatches.ts';
import { eventOfBody } from '../stripe/event-body.ts';
import type { StripeReads } from '../stripe-port.ts';

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
/** Stripe lists events of 30 days. */
const listedMs = 30 * dayMs;
/** A webhook that is on its way need not be fetched, and one that was missed by little must be. */
const overlapMs = 10 * minuteMs;

const system = { id: 'system', kind: 'system' } as const;

/** The beginning of a window that leaves out nothing since the last run. */
const windowStart = (now: string, lastSuccessAt: string | null): string => {
  const last = lastSuccessAt === null ? 0 : Date.parse(lastSuccessAt) - overlapMs;
  return new Date(Math.max(last, Date.parse(now) - listedMs)).toISOString();
};

/** Puts events on the tape whose webhooks have not arrived, as if they had. */
const undeliveredEvents = ({ stripe, store, clock, logger }: ReconciliationPorts): Job => {
  const receive = handle(store, stripeEventDecider, stripeEventEvents);
  return {
    name: 'stripe-undelivered-events',
    intervalMs: 5 * minuteMs,
    run: async ({ now, lastSuccessAt, signal }) => {
      let found = 0;
      const since = windowStart(now, lastSuccessAt);
      for await (const { body } of stripe.listEvents({ since, undeliveredOnly: true })) {
        if (signal.aborted) return;
        const event = eventOfBody(body);
        if (!event) continue;
        const received = { ...event, source: 'reconciliation' } as const;
        if (await appendStripeEvent(receive, received, { actor: system, clock })) found++;
      }
      if (found > 0) logger.warn({ found, since }, 'events of Stripe were missing and have been fetched');
    },
  };
};

type Sweep = (subscriptionId: string, scope: 'newest' | 'all') => Promise<void>;

/** Reads a subscription and records what is new: that is drift, since a webhook should have told it. */
const sweepOf = ({ stripe, unclaimedRefundDays, store, clock }: ReconciliationPorts): Sweep => {
  const commands = directCommands(store, clock);
  return async (subscriptionId, scope) => {
    const reading = await stripe.readSubscription(subscriptionId, scope);
    if (!reading) return;
    const now = isoNow(clock);
    const options = { unclaimedRefundDays, isSweep: true, now };
    await commands.send(await recordReading(reading, commands.read, options));
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

/** Three clocks: events that were not delivered, subscriptions that are due, and everything; and writes that are stuck. */
export const reconciliationJobs = (ports: ReconciliationPorts): readonly Job[] => [
  undeliveredEvents(ports),
  overdueSubscriptions(ports),
  everySubscription(ports),
  parkedWrites(ports),
];
